#include "machine/native/memory/stack.h"

#include <immintrin.h>
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

// Most threads use less than is open: it is quicker to look for the end of what they used than to
// clear all of it. Both ends are multiples of 64. This runs once for every thread of every
// execution, so it uses what the processor has.
[[gnu::target("avx2")]] void clear_with_avx2(char* from, const char* to) {
  for (; to - from >= 256; from += 256) {
    const auto* at = reinterpret_cast<const __m256i*>(from);
    __m256i any = at[0];
    for (int i = 1; i < 8; ++i) any = _mm256_or_si256(any, at[i]);
    if (_mm256_testz_si256(any, any) == 0) break;
  }
  for (; from < to; from += 64)
    for (int i = 0; i < 2; ++i)
      _mm256_store_si256(reinterpret_cast<__m256i*>(from) + i, _mm256_setzero_si256());
}

void clear_with_sse2(char* from, const char* to) {
  for (; to - from >= 128; from += 128) {
    const auto* at = reinterpret_cast<const __m128i*>(from);
    __m128i any = at[0];
    for (int i = 1; i < 8; ++i) any = _mm_or_si128(any, at[i]);
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(any, _mm_setzero_si128())) != 0xffff) break;
  }
  for (; from < to; from += 64)
    for (int i = 0; i < 4; ++i)
      _mm_store_si128(reinterpret_cast<__m128i*>(from) + i, _mm_setzero_si128());
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
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  (has_avx2 ? clear_with_avx2 : clear_with_sse2)(fiber.open_from, first_frame(fiber));
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
