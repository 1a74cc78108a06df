#include "machine/native/memory/stack.h"

#include <emmintrin.h>
#include <sys/mman.h>

#include <cstdint>

#include "machine/native/memory/raw.h"

namespace mazur::native {
namespace {

// What lies further down is not cleared by writing zeros but given back to the kernel: a few deep
// stacks must not make every execution expensive.
constexpr std::size_t kCleared = 128 << 10;

char* lowest_cleared(const Fiber& fiber) {
  return reinterpret_cast<char*>(page_down(reinterpret_cast<std::uintptr_t>(first_frame(fiber)))) -
         kCleared;
}

__m128i four_words(const __m128i* at) {
  return _mm_or_si128(_mm_or_si128(at[0], at[1]), _mm_or_si128(at[2], at[3]));
}

bool is_zero(__m128i words) {
  return _mm_movemask_epi8(_mm_cmpeq_epi8(words, _mm_setzero_si128())) == 0xffff;
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
  // Most threads use less than is open: it is quicker to look for the end of what they used. Both
  // ends are multiples of 64.
  auto* at = reinterpret_cast<__m128i*>(fiber.open_from);
  auto* const end = reinterpret_cast<__m128i*>(first_frame(fiber));
  while (end - at >= 8 && is_zero(_mm_or_si128(four_words(at), four_words(at + 4)))) at += 8;
  for (; at < end; at += 4)
    for (int i = 0; i < 4; ++i) _mm_store_si128(at + i, _mm_setzero_si128());
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
