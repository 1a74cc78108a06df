// str*: strings of the program that the C library reads and writes.
//
// Enabled, does, depends on, reversible: plain accesses (library_call.h). A string is read up to
// and including its zero, or as far as the function needs it.
#include <ctype.h>
#include <string.h>

#include "machine/native/library/library_call.h"

using namespace mazur::native;

namespace {

std::size_t distance(const char* from, const char* to) {
  return static_cast<std::size_t>(to - from);
}

// Up to and including the first difference or the end; at most `most`.
template <typename Same>
std::size_t compared(const char* a, const char* b, std::size_t most, Same same) {
  for (std::size_t i = 0; i < most; ++i)
    if (a[i] == 0 || b[i] == 0 || !same(a[i], b[i])) return i + 1;
  return most;
}
bool same(char a, char b) { return a == b; }
bool same_letter(char a, char b) {
  return tolower(static_cast<unsigned char>(a)) == tolower(static_cast<unsigned char>(b));
}
constexpr std::size_t kAll = ~std::size_t{0};

}  // namespace

// ---- Lengths

MAZUR_LIBRARY(std::size_t, strlen, (const char* text)) {
  LibraryCall call("strlen", MAZUR_CALLER);
  const auto length = MAZUR_REAL(strlen);
  call.touches([&] { call.reads(text, length(text) + 1); });
  return length(text);
}

MAZUR_LIBRARY(std::size_t, strnlen, (const char* text, std::size_t most)) {
  LibraryCall call("strnlen", MAZUR_CALLER);
  const auto length = MAZUR_REAL(strnlen);
  call.touches([&] {
    const std::size_t found = length(text, most);
    call.reads(text, found < most ? found + 1 : most);
  });
  return length(text, most);
}

// ---- Copies

#define MAZUR_COPY(name)                                     \
  MAZUR_LIBRARY(char*, name, (char* to, const char* from)) { \
    LibraryCall call(#name, MAZUR_CALLER);                   \
    call.touches([&] {                                       \
      const std::size_t size = string_size(from);            \
      call.reads(from, size);                                \
      call.writes(to, size);                                 \
    });                                                      \
    note_library_write(to, MAZUR_CALLER);                    \
    return MAZUR_REAL(name)(to, from);                       \
  }
MAZUR_COPY(strcpy)
MAZUR_COPY(stpcpy)
MAZUR_COPY(__stpcpy)
#undef MAZUR_COPY

// The rest is filled with zeros.
#define MAZUR_COPY(name)                                                       \
  MAZUR_LIBRARY(char*, name, (char* to, const char* from, std::size_t size)) { \
    LibraryCall call(#name, MAZUR_CALLER);                                     \
    call.touches([&] {                                                         \
      call.reads(from, string_size(from, size));                               \
      call.writes(to, size);                                                   \
    });                                                                        \
    note_library_write(to, MAZUR_CALLER);                                      \
    return MAZUR_REAL(name)(to, from, size);                                   \
  }
MAZUR_COPY(strncpy)
MAZUR_COPY(stpncpy)
#undef MAZUR_COPY

namespace {

// strcat and strncat: at most so many bytes of the other string are looked at.
void tell_append(LibraryCall& call, char* to, const char* from, std::size_t most, const void* pc) {
  call.touches([&] {
    const std::size_t old = strlen(to), read = string_size(from, most);
    const std::size_t added = strnlen(from, most);
    call.reads(from, read);
    call.reads(to, old + 1);
    call.writes(to + old, added + 1);
  });
  note_library_write(to, pc);
}

}  // namespace

MAZUR_LIBRARY(char*, strcat, (char* to, const char* from)) {
  LibraryCall call("strcat", MAZUR_CALLER);
  tell_append(call, to, from, kAll, MAZUR_CALLER);
  return MAZUR_REAL(strcat)(to, from);
}

MAZUR_LIBRARY(char*, strncat, (char* to, const char* from, std::size_t size)) {
  LibraryCall call("strncat", MAZUR_CALLER);
  tell_append(call, to, from, size, MAZUR_CALLER);
  return MAZUR_REAL(strncat)(to, from, size);
}

// With -D_FORTIFY_SOURCE. What does not fit ends the program, and need not be told.

#define MAZUR_CHECKED_COPY(name, plain_name)                                   \
  MAZUR_LIBRARY(char*, name, (char* to, const char* from, std::size_t room)) { \
    LibraryCall call(plain_name, MAZUR_CALLER);                                \
    call.touches([&] {                                                         \
      const std::size_t size = string_size(from);                              \
      if (size > room) return;                                                 \
      call.reads(from, size);                                                  \
      call.writes(to, size);                                                   \
    });                                                                        \
    note_library_write(to, MAZUR_CALLER);                                      \
    return MAZUR_REAL(name)(to, from, room);                                   \
  }
MAZUR_CHECKED_COPY(__strcpy_chk, "strcpy")
MAZUR_CHECKED_COPY(__stpcpy_chk, "stpcpy")
#undef MAZUR_CHECKED_COPY

#define MAZUR_CHECKED_COPY(name, plain_name)                                                     \
  MAZUR_LIBRARY(char*, name, (char* to, const char* from, std::size_t size, std::size_t room)) { \
    LibraryCall call(plain_name, MAZUR_CALLER);                                                  \
    call.touches([&] {                                                                           \
      if (size > room) return;                                                                   \
      call.reads(from, string_size(from, size));                                                 \
      call.writes(to, size);                                                                     \
    });                                                                                          \
    note_library_write(to, MAZUR_CALLER);                                                        \
    return MAZUR_REAL(name)(to, from, size, room);                                               \
  }
MAZUR_CHECKED_COPY(__strncpy_chk, "strncpy")
MAZUR_CHECKED_COPY(__stpncpy_chk, "stpncpy")
#undef MAZUR_CHECKED_COPY

MAZUR_LIBRARY(char*, __strcat_chk, (char* to, const char* from, std::size_t room)) {
  LibraryCall call("strcat", MAZUR_CALLER);
  if (strlen(to) + strlen(from) < room) tell_append(call, to, from, kAll, MAZUR_CALLER);
  return MAZUR_REAL(__strcat_chk)(to, from, room);
}

MAZUR_LIBRARY(char*, __strncat_chk,
              (char* to, const char* from, std::size_t size, std::size_t room)) {
  LibraryCall call("strncat", MAZUR_CALLER);
  if (strlen(to) + strnlen(from, size) < room) tell_append(call, to, from, size, MAZUR_CALLER);
  return MAZUR_REAL(__strncat_chk)(to, from, size, room);
}

// The copy is fresh memory, but who gets its address from elsewhere can race with the copying.
#define MAZUR_DUPLICATE(name)                                         \
  MAZUR_LIBRARY(char*, name, (const char* text)) {                    \
    LibraryCall call("strdup", MAZUR_CALLER);                         \
    call.touches([&] { call.reads(text, string_size(text)); });       \
    char* const copy = MAZUR_REAL(name)(text);                        \
    if (call && copy != nullptr) call.wrote(copy, string_size(copy)); \
    return copy;                                                      \
  }
MAZUR_DUPLICATE(strdup)
MAZUR_DUPLICATE(__strdup)
#undef MAZUR_DUPLICATE

#define MAZUR_DUPLICATE(name)                                         \
  MAZUR_LIBRARY(char*, name, (const char* text, std::size_t most)) {  \
    LibraryCall call("strndup", MAZUR_CALLER);                        \
    call.touches([&] { call.reads(text, string_size(text, most)); }); \
    char* const copy = MAZUR_REAL(name)(text, most);                  \
    if (call && copy != nullptr) call.wrote(copy, string_size(copy)); \
    return copy;                                                      \
  }
MAZUR_DUPLICATE(strndup)
MAZUR_DUPLICATE(__strndup)
#undef MAZUR_DUPLICATE

// ---- Comparisons

#define MAZUR_COMPARE(name, parameters, passed, most, is_same) \
  MAZUR_LIBRARY(int, name, parameters) {                       \
    LibraryCall call(#name, MAZUR_CALLER);                     \
    call.touches([&] {                                         \
      const std::size_t read = compared(a, b, most, is_same);  \
      call.reads(a, read);                                     \
      call.reads(b, read);                                     \
    });                                                        \
    return MAZUR_REAL(name) passed;                            \
  }
MAZUR_COMPARE(strcmp, (const char* a, const char* b), (a, b), kAll, same)
MAZUR_COMPARE(strcasecmp, (const char* a, const char* b), (a, b), kAll, same_letter)
MAZUR_COMPARE(strncmp, (const char* a, const char* b, std::size_t most), (a, b, most), most, same)
MAZUR_COMPARE(strncasecmp, (const char* a, const char* b, std::size_t most), (a, b, most), most,
              same_letter)
#undef MAZUR_COMPARE

#define MAZUR_COMPARE(name)                                  \
  MAZUR_LIBRARY(int, name, (const char* a, const char* b)) { \
    LibraryCall call(#name, MAZUR_CALLER);                   \
    call.touches([&] {                                       \
      call.reads(a, string_size(a));                         \
      call.reads(b, string_size(b));                         \
    });                                                      \
    return MAZUR_REAL(name)(a, b);                           \
  }
MAZUR_COMPARE(strcoll)
MAZUR_COMPARE(strverscmp)
#undef MAZUR_COMPARE

MAZUR_LIBRARY(std::size_t, strxfrm, (char* to, const char* from, std::size_t size)) {
  LibraryCall call("strxfrm", MAZUR_CALLER);
  call.touches([&] {
    call.reads(from, string_size(from));
    call.may_write(to, size);
  });
  note_library_write(to, MAZUR_CALLER);
  const std::size_t length = MAZUR_REAL(strxfrm)(to, from, size);
  call.wrote(to, length < size ? length + 1 : 0);
  return length;
}

// ---- Searches

#define MAZUR_FIND(name)                                                                  \
  MAZUR_LIBRARY(char*, name, (const char* text, int wanted)) {                            \
    LibraryCall call(#name, MAZUR_CALLER);                                                \
    const auto find = MAZUR_REAL(name);                                                   \
    call.touches([&] {                                                                    \
      const char* found = find(text, wanted);                                             \
      call.reads(text, found != nullptr ? distance(text, found) + 1 : string_size(text)); \
    });                                                                                   \
    return find(text, wanted);                                                            \
  }
MAZUR_FIND(strchr)
MAZUR_FIND(strchrnul)
MAZUR_FIND(index)
#undef MAZUR_FIND

#define MAZUR_FIND(name)                                        \
  MAZUR_LIBRARY(char*, name, (const char* text, int wanted)) {  \
    LibraryCall call(#name, MAZUR_CALLER);                      \
    call.touches([&] { call.reads(text, string_size(text)); }); \
    return MAZUR_REAL(name)(text, wanted);                      \
  }
MAZUR_FIND(strrchr)
MAZUR_FIND(rindex)
#undef MAZUR_FIND

#define MAZUR_FIND(name)                                                                       \
  MAZUR_LIBRARY(char*, name, (const char* text, const char* part)) {                           \
    LibraryCall call(#name, MAZUR_CALLER);                                                     \
    const auto find = MAZUR_REAL(name);                                                        \
    call.touches([&] {                                                                         \
      const char* found = find(text, part);                                                    \
      call.reads(part, string_size(part));                                                     \
      call.reads(text,                                                                         \
                 found != nullptr ? distance(text, found) + strlen(part) : string_size(text)); \
    });                                                                                        \
    return find(text, part);                                                                   \
  }
MAZUR_FIND(strstr)
MAZUR_FIND(strcasestr)
#undef MAZUR_FIND

#define MAZUR_SPAN(name)                                                         \
  MAZUR_LIBRARY(std::size_t, name, (const char* text, const char* characters)) { \
    LibraryCall call(#name, MAZUR_CALLER);                                       \
    const auto span = MAZUR_REAL(name);                                          \
    call.touches([&] {                                                           \
      call.reads(characters, string_size(characters));                           \
      call.reads(text, span(text, characters) + 1);                              \
    });                                                                          \
    return span(text, characters);                                               \
  }
MAZUR_SPAN(strspn)
MAZUR_SPAN(strcspn)
#undef MAZUR_SPAN

MAZUR_LIBRARY(char*, strpbrk, (const char* text, const char* characters)) {
  LibraryCall call("strpbrk", MAZUR_CALLER);
  call.touches([&] {
    call.reads(characters, string_size(characters));
    call.reads(text, strcspn(text, characters) + 1);
  });
  return MAZUR_REAL(strpbrk)(text, characters);
}
