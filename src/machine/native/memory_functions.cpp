// memcpy, memmove and memset, which instrumented code calls by name (see `mazur c++`). They are the
// program's accesses only when its own code calls them: libraries are not instrumented.
#include <dlfcn.h>
#include <link.h>

#include "machine/native/plain.h"

using namespace mazur::native;

// The linker knows where the runtime's own code begins and ends.
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));

namespace {

void* (*real_memcpy)(void*, const void*, std::size_t);
void* (*real_memmove)(void*, const void*, std::size_t);
void* (*real_memset)(void*, int, std::size_t);

// Before libc is relocated there is only this.
void* copy_bytes(void* to, const void* from, std::size_t size) {
  void* result = to;
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size)::"memory");
  return result;
}

void* copy_bytes_backwards(void* to, const void* from, std::size_t size) {
  char* last_to = static_cast<char*>(to) + size - 1;
  const char* last_from = static_cast<const char*>(from) + size - 1;
  asm volatile("std; rep movsb; cld" : "+D"(last_to), "+S"(last_from), "+c"(size)::"memory");
  return to;
}

bool by_program(const void* pc) {
  return runtime.running && (race_state.on || runtime.explore_plain) &&
         is_program_code(reinterpret_cast<std::uint64_t>(pc));
}

// The program or a library calls, not the runtime itself.
bool by_others(const void* pc) {
  return runtime.running && static_cast<std::size_t>(static_cast<const char*>(pc) - __ehdr_start) >=
                                static_cast<std::size_t>(etext - __ehdr_start);
}

}  // namespace

namespace mazur::native {

void find_memory_functions() {
  real_memcpy = reinterpret_cast<decltype(real_memcpy)>(real_symbol("memcpy"));
  real_memmove = reinterpret_cast<decltype(real_memmove)>(real_symbol("memmove"));
  real_memset = reinterpret_cast<decltype(real_memset)>(real_symbol("memset"));
}

}  // namespace mazur::native

// Defined under other names, because the compiler has its own ideas about a function called memcpy.
MAZUR_EXPORT void* mazur_memcpy(void* to, const void* from, std::size_t size) asm("memcpy");
void* mazur_memcpy(void* to, const void* from, std::size_t size) {
  if (by_program(MAZUR_CALLER)) {
    plain(from, size, false, MAZUR_CALLER);
    plain(to, size, true, MAZUR_CALLER);
  }
  if (by_others(MAZUR_CALLER)) note_write(to);
  return real_memcpy != nullptr ? real_memcpy(to, from, size) : copy_bytes(to, from, size);
}

MAZUR_EXPORT void* mazur_memmove(void* to, const void* from, std::size_t size) asm("memmove");
void* mazur_memmove(void* to, const void* from, std::size_t size) {
  if (by_program(MAZUR_CALLER)) {
    plain(from, size, false, MAZUR_CALLER);
    plain(to, size, true, MAZUR_CALLER);
  }
  if (by_others(MAZUR_CALLER)) note_write(to);
  if (real_memmove != nullptr) return real_memmove(to, from, size);
  return to <= from ? copy_bytes(to, from, size) : copy_bytes_backwards(to, from, size);
}

MAZUR_EXPORT void* mazur_memset(void* to, int value, std::size_t size) asm("memset");
void* mazur_memset(void* to, int value, std::size_t size) {
  if (by_program(MAZUR_CALLER)) plain(to, size, true, MAZUR_CALLER);
  if (by_others(MAZUR_CALLER)) note_write(to);
  if (real_memset != nullptr) return real_memset(to, value, size);
  void* result = to;
  asm volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
  return result;
}

MAZUR_EXPORT void* __tsan_memcpy(void* to, const void* from, std::size_t size) {
  return mazur_memcpy(to, from, size);
}
MAZUR_EXPORT void* __tsan_memmove(void* to, const void* from, std::size_t size) {
  return mazur_memmove(to, from, size);
}
MAZUR_EXPORT void* __tsan_memset(void* to, int value, std::size_t size) {
  return mazur_memset(to, value, size);
}
