#include "machine/native/memory/stack.h"

#include <sys/mman.h>

#include <cstring>

#include "machine/native/memory/raw.h"

namespace mazur::native {
namespace {

// What lies further down is not cleared by writing zeros but given back to the kernel: a few deep
// stacks must not make every execution dear.
constexpr std::size_t kCleared = 128 << 10;

char* lowest_cleared(const Fiber& fiber) {
  return reinterpret_cast<char*>(page_down(reinterpret_cast<std::uintptr_t>(first_frame(fiber)))) -
         kCleared;
}

void protect(char* from, const char* to, int protection) {
  raw_syscall(SYS_mprotect, reinterpret_cast<long>(from), to - from, protection);
}

}  // namespace

// Neighbouring stacks start at different cache sets.
char* first_frame(const Fiber& fiber) {
  const std::size_t colour = (fiber.id * 832u) & 0xfc0u;
  return fiber.stack + kStackSize - 256 - colour;
}

void set_up_stack(Fiber& fiber) {
  const std::uintptr_t place = kStacks + fiber.id * kStackStride;
  map_pages(reinterpret_cast<void*>(place), kStackStride);
  fiber.stack = reinterpret_cast<char*>(place + kStackStride - kStackSize);
  raw_syscall(SYS_madvise, static_cast<long>(place), static_cast<long>(kStackStride),
              MADV_NOHUGEPAGE);
  protect(reinterpret_cast<char*>(place), fiber.stack, PROT_NONE);
  // What prepare() writes is below the first frame.
  constexpr std::size_t kPrepared = 128;
  fiber.open_from = reinterpret_cast<char*>(
      page_down(reinterpret_cast<std::uintptr_t>(first_frame(fiber) - kPrepared)));
  protect(fiber.stack, fiber.open_from, PROT_READ);
}

void clear_stack(Fiber& fiber) {
  std::memset(fiber.open_from, 0, static_cast<std::size_t>(first_frame(fiber) - fiber.open_from));
  if (__builtin_expect(fiber.deep, 0))
    raw_syscall(SYS_madvise, reinterpret_cast<long>(fiber.stack), fiber.open_from - fiber.stack,
                MADV_DONTNEED);
}

bool first_stack_write(const void* address) {
  const ThreadId owner = stack_owner(reinterpret_cast<std::uintptr_t>(address));
  if (owner == kNoThread || fibers[owner] == nullptr) return false;
  Fiber& fiber = *fibers[owner];
  char* page = reinterpret_cast<char*>(page_down(reinterpret_cast<std::uintptr_t>(address)));
  if (page < fiber.stack || page >= fiber.open_from || fiber.deep) return false;
  char* const lowest = lowest_cleared(fiber);
  if (page < lowest) {
    fiber.deep = true;
    protect(fiber.stack, fiber.open_from, PROT_READ | PROT_WRITE);
    page = lowest;
  } else {
    protect(page, fiber.open_from, PROT_READ | PROT_WRITE);
  }
  fiber.open_from = page;
  return true;
}

}  // namespace mazur::native
