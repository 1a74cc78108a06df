// mem*: what instrumented code calls by name (see `mazur c++`), also to copy objects.
//
// Enabled, does, depends on, reversible: plain accesses (hooks_plain.cpp, library_call.h).
#include <string.h>

#include "machine/native/library/library_call.h"

using namespace mazur::native;

namespace {

void* (*real_memcpy)(void*, const void*, std::size_t);
void* (*real_memmove)(void*, const void*, std::size_t);
void* (*real_memset)(void*, int, std::size_t);

// Until libc is relocated there is nothing else.
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

void* copy(void* to, const void* from, std::size_t size) {
  return real_memcpy != nullptr ? real_memcpy(to, from, size) : copy_bytes(to, from, size);
}

void* move(void* to, const void* from, std::size_t size) {
  if (real_memmove != nullptr) return real_memmove(to, from, size);
  return to <= from ? copy_bytes(to, from, size) : copy_bytes_backwards(to, from, size);
}

void* set(void* to, int value, std::size_t size) {
  if (real_memset != nullptr) return real_memset(to, value, size);
  void* result = to;
  asm volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
  return result;
}

using Copy = void*(void*, const void*, std::size_t);

// With --races=explore, or in an atomic block.
[[gnu::noinline]] void* copy_as_events(Copy* function, const char* name, void* to, const void* from,
                                       std::size_t size, const void* pc) {
  LibraryCall call(name, pc);
  call.touches([&] {
    call.reads(from, size);
    call.writes(to, size);
  });
  note_library_write(to, pc);
  return function(to, from, size);
}
[[gnu::noinline]] void* set_as_events(const char* name, void* to, int value, std::size_t size,
                                      const void* pc) {
  LibraryCall call(name, pc);
  call.touches([&] { call.writes(to, size); });
  note_library_write(to, pc);
  return set(to, value, size);
}

[[gnu::noinline]] void* program_copy(Copy* function, const char* name, void* to, const void* from,
                                     std::size_t size, const void* pc) {
  if (__builtin_expect(runtime.explore_plain, 0))
    return copy_as_events(function, name, to, from, size, pc);
  tell_inside(name, from, size, false, pc);
  tell_inside(name, to, size, true, pc);
  return function(to, from, size);
}
[[gnu::noinline]] void* program_set(const char* name, void* to, int value, std::size_t size,
                                    const void* pc) {
  if (__builtin_expect(runtime.explore_plain, 0)) return set_as_events(name, to, value, size, pc);
  tell_inside(name, to, size, true, pc);
  return set(to, value, size);
}

// Hot: the runtime and all libraries copy this way.
[[gnu::always_inline]] inline void* told_copy(Copy* function, const char* name, void* to,
                                              const void* from, std::size_t size, const void* pc) {
  if (by_program(pc)) return program_copy(function, name, to, from, size, pc);
  note_library_write(to, pc);
  return function(to, from, size);
}
[[gnu::always_inline]] inline void* told_set(const char* name, void* to, int value,
                                             std::size_t size, const void* pc) {
  if (by_program(pc)) return program_set(name, to, value, size, pc);
  note_library_write(to, pc);
  return set(to, value, size);
}

void* after(void* to, std::size_t size) { return static_cast<char*>(to) + size; }

}  // namespace

namespace mazur::native {

void find_memory_functions() {
  real_memcpy = reinterpret_cast<decltype(real_memcpy)>(real_symbol("memcpy"));
  real_memmove = reinterpret_cast<decltype(real_memmove)>(real_symbol("memmove"));
  real_memset = reinterpret_cast<decltype(real_memset)>(real_symbol("memset"));
}

}  // namespace mazur::native

// Defined under other names, because the compiler has its own ideas about a function called memcpy.
#define MAZUR_COPY(name, function)                                                          \
  MAZUR_EXPORT void* mazur_##name(void* to, const void* from, std::size_t size) asm(#name); \
  void* mazur_##name(void* to, const void* from, std::size_t size) {                        \
    return told_copy(function, #name, to, from, size, MAZUR_CALLER);                        \
  }
MAZUR_COPY(memcpy, copy)
MAZUR_COPY(memmove, move)
#undef MAZUR_COPY

MAZUR_EXPORT void* mazur_memset(void* to, int value, std::size_t size) asm("memset");
void* mazur_memset(void* to, int value, std::size_t size) {
  return told_set("memset", to, value, size, MAZUR_CALLER);
}

MAZUR_EXPORT void* __tsan_memcpy(void* to, const void* from, std::size_t size) {
  return told_copy(copy, "memcpy", to, from, size, MAZUR_CALLER);
}
MAZUR_EXPORT void* __tsan_memmove(void* to, const void* from, std::size_t size) {
  return told_copy(move, "memmove", to, from, size, MAZUR_CALLER);
}
MAZUR_EXPORT void* __tsan_memset(void* to, int value, std::size_t size) {
  return told_set("memset", to, value, size, MAZUR_CALLER);
}

#define MAZUR_PCOPY(name)                                                         \
  MAZUR_LIBRARY(void*, name, (void* to, const void* from, std::size_t size)) {    \
    return after(told_copy(copy, "mempcpy", to, from, size, MAZUR_CALLER), size); \
  }
MAZUR_PCOPY(mempcpy)
MAZUR_PCOPY(__mempcpy)
#undef MAZUR_PCOPY

MAZUR_LIBRARY(void, bcopy, (const void* from, void* to, std::size_t size)) {
  told_copy(move, "bcopy", to, from, size, MAZUR_CALLER);
}
MAZUR_LIBRARY(void, bzero, (void* to, std::size_t size)) {
  told_set("bzero", to, 0, size, MAZUR_CALLER);
}
MAZUR_LIBRARY(void, explicit_bzero, (void* to, std::size_t size)) {
  told_set("explicit_bzero", to, 0, size, MAZUR_CALLER);
}

// ---- With -D_FORTIFY_SOURCE: the library complains about what does not fit.

#define MAZUR_CHECKED_COPY(name, plain_name, function, result)                                   \
  MAZUR_LIBRARY(void*, name, (void* to, const void* from, std::size_t size, std::size_t room)) { \
    if (size > room) return MAZUR_REAL(name)(to, from, size, room);                              \
    told_copy(function, plain_name, to, from, size, MAZUR_CALLER);                               \
    return result;                                                                               \
  }
MAZUR_CHECKED_COPY(__memcpy_chk, "memcpy", copy, to)
MAZUR_CHECKED_COPY(__memmove_chk, "memmove", move, to)
MAZUR_CHECKED_COPY(__mempcpy_chk, "mempcpy", copy, after(to, size))
#undef MAZUR_CHECKED_COPY

MAZUR_LIBRARY(void*, __memset_chk, (void* to, int value, std::size_t size, std::size_t room)) {
  if (size > room) return MAZUR_REAL(__memset_chk)(to, value, size, room);
  return told_set("memset", to, value, size, MAZUR_CALLER);
}
MAZUR_LIBRARY(void, __explicit_bzero_chk, (void* to, std::size_t size, std::size_t room)) {
  if (size > room) return MAZUR_REAL(__explicit_bzero_chk)(to, size, room);
  told_set("explicit_bzero", to, 0, size, MAZUR_CALLER);
}

// ---- Functions that only read

namespace {

// Up to and including the first difference.
std::size_t compared(const void* a, const void* b, std::size_t size) {
  const auto *x = static_cast<const char*>(a), *y = static_cast<const char*>(b);
  for (std::size_t i = 0; i < size; ++i)
    if (x[i] != y[i]) return i + 1;
  return size;
}

std::size_t up_to(const void* begin, const void* found, std::size_t otherwise) {
  if (found == nullptr) return otherwise;
  return static_cast<std::size_t>(static_cast<const char*>(found) -
                                  static_cast<const char*>(begin)) +
         1;
}

}  // namespace

#define MAZUR_COMPARE(name)                                                    \
  MAZUR_LIBRARY(int, name, (const void* a, const void* b, std::size_t size)) { \
    LibraryCall call(#name, MAZUR_CALLER);                                     \
    call.touches([&] {                                                         \
      const std::size_t read = compared(a, b, size);                           \
      call.reads(a, read);                                                     \
      call.reads(b, read);                                                     \
    });                                                                        \
    return MAZUR_REAL(name)(a, b, size);                                       \
  }
MAZUR_COMPARE(memcmp)
MAZUR_COMPARE(bcmp)
#undef MAZUR_COMPARE

MAZUR_LIBRARY(void*, memchr, (const void* text, int wanted, std::size_t size)) {
  LibraryCall call("memchr", MAZUR_CALLER);
  const auto find = MAZUR_REAL(memchr);
  call.touches([&] { call.reads(text, up_to(text, find(text, wanted, size), size)); });
  return find(text, wanted, size);
}

MAZUR_LIBRARY(void*, rawmemchr, (const void* text, int wanted)) {
  LibraryCall call("rawmemchr", MAZUR_CALLER);
  const auto find = MAZUR_REAL(rawmemchr);
  call.touches([&] { call.reads(text, up_to(text, find(text, wanted), 0)); });
  return find(text, wanted);
}

MAZUR_LIBRARY(void*, memrchr, (const void* text, int wanted, std::size_t size)) {
  LibraryCall call("memrchr", MAZUR_CALLER);
  call.touches([&] { call.reads(text, size); });
  return MAZUR_REAL(memrchr)(text, wanted, size);
}

MAZUR_LIBRARY(void*, memmem,
              (const void* text, std::size_t size, const void* part, std::size_t part_size)) {
  LibraryCall call("memmem", MAZUR_CALLER);
  call.touches([&] {
    call.reads(text, size);
    call.reads(part, part_size);
  });
  return MAZUR_REAL(memmem)(text, size, part, part_size);
}

MAZUR_LIBRARY(void*, memccpy, (void* to, const void* from, int last, std::size_t size)) {
  LibraryCall call("memccpy", MAZUR_CALLER);
  call.touches([&] {
    const std::size_t copied = up_to(from, memchr(from, last, size), size);
    call.reads(from, copied);
    call.writes(to, copied);
  });
  note_library_write(to, MAZUR_CALLER);
  return MAZUR_REAL(memccpy)(to, from, last, size);
}
