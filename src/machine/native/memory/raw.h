// System calls that touch nothing of libc: no errno, no cancellation, no interposition.
#pragma once

#include <sys/syscall.h>

#include <cstddef>
#include <cstdint>

namespace mazur::native {

inline long raw_syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                        long f = 0) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

// Maps fresh zero pages, at a fixed place if `at` is given. Ends the process if that fails: the
// layout of the address space is ours, and nothing works without it.
void* map_pages(void* at, std::size_t size);

// A line to the real standard error, and the end of the process. For states that must not happen.
[[noreturn]] void die(const char* format, ...) __attribute__((format(printf, 1, 2)));

inline std::uintptr_t page_down(std::uintptr_t address) { return address & ~std::uintptr_t{4095}; }
inline std::uintptr_t page_up(std::uintptr_t address) { return page_down(address + 4095); }

}  // namespace mazur::native
