// wcs* and wmem*: the wide forms of string_functions.cpp and memory_functions.cpp.
//
// Enabled, does, depends on, reversible: plain accesses (library_call.h).
#include <stdlib.h>
#include <wchar.h>

#include "machine/native/library/library_call.h"

using namespace mazur::native;

namespace {

constexpr std::size_t kUnit = sizeof(wchar_t);
constexpr std::size_t kAllOfIt = ~std::size_t{0} / kUnit;

// In bytes, with the zero at the end if it is among them.
std::size_t wide_size(const wchar_t* text, std::size_t most = kAllOfIt) {
  const std::size_t length = wcsnlen(text, most);
  return (length < most ? length + 1 : length) * kUnit;
}

std::size_t compared(const wchar_t* a, const wchar_t* b, std::size_t most, bool strings) {
  for (std::size_t i = 0; i < most; ++i)
    if (a[i] != b[i] || (strings && a[i] == 0)) return (i + 1) * kUnit;
  return most * kUnit;
}

std::size_t up_to(const wchar_t* begin, const wchar_t* found, std::size_t otherwise) {
  return found == nullptr ? otherwise : static_cast<std::size_t>(found - begin + 1) * kUnit;
}

}  // namespace

#define MAZUR_WIDE(type, name, parameters, passed, ...) \
  MAZUR_LIBRARY(type, name, parameters) {               \
    LibraryCall call(#name, MAZUR_CALLER);              \
    call.touches([&] { __VA_ARGS__; });                 \
    return MAZUR_REAL(name) passed;                     \
  }
#define MAZUR_WIDE_TO(type, name, parameters, passed, ...) \
  MAZUR_LIBRARY(type, name, parameters) {                  \
    LibraryCall call(#name, MAZUR_CALLER);                 \
    call.touches([&] { __VA_ARGS__; });                    \
    note_library_write(to, MAZUR_CALLER);                  \
    return MAZUR_REAL(name) passed;                        \
  }

MAZUR_LIBRARY(std::size_t, wcslen, (const wchar_t* text)) {
  LibraryCall call("wcslen", MAZUR_CALLER);
  const auto length = MAZUR_REAL(wcslen);
  call.touches([&] { call.reads(text, (length(text) + 1) * kUnit); });
  return length(text);
}
MAZUR_LIBRARY(std::size_t, wcsnlen, (const wchar_t* text, std::size_t most)) {
  LibraryCall call("wcsnlen", MAZUR_CALLER);
  const auto length = MAZUR_REAL(wcsnlen);
  call.touches([&] {
    const std::size_t found = length(text, most);
    call.reads(text, (found < most ? found + 1 : most) * kUnit);
  });
  return length(text, most);
}

// ---- Copies

#define MAZUR_COPY(name)                                                         \
  MAZUR_WIDE_TO(wchar_t*, name, (wchar_t * to, const wchar_t* from), (to, from), \
                call.reads(from, wide_size(from)), call.writes(to, wide_size(from)))
MAZUR_COPY(wcscpy)
MAZUR_COPY(wcpcpy)
#undef MAZUR_COPY
#define MAZUR_COPY(name)                                                               \
  MAZUR_WIDE_TO(wchar_t*, name, (wchar_t * to, const wchar_t* from, std::size_t size), \
                (to, from, size), call.reads(from, wide_size(from, size)),             \
                call.writes(to, size* kUnit))
MAZUR_COPY(wcsncpy)
MAZUR_COPY(wcpncpy)
#undef MAZUR_COPY
#define MAZUR_COPY(name)                                                               \
  MAZUR_WIDE_TO(wchar_t*, name, (wchar_t * to, const wchar_t* from, std::size_t size), \
                (to, from, size), call.reads(from, size* kUnit), call.writes(to, size* kUnit))
MAZUR_COPY(wmemcpy)
MAZUR_COPY(wmemmove)
MAZUR_COPY(wmempcpy)
#undef MAZUR_COPY
// With -D_FORTIFY_SOURCE.
#define MAZUR_COPY(name)                                                               \
  MAZUR_WIDE_TO(wchar_t*, name, (wchar_t * to, const wchar_t* from, std::size_t room), \
                (to, from, room), const std::size_t size = wide_size(from);            \
                if (size <= room * kUnit) call.reads(from, size), call.writes(to, size))
MAZUR_COPY(__wcscpy_chk)
MAZUR_COPY(__wcpcpy_chk)
#undef MAZUR_COPY
#define MAZUR_COPY(name, read)                                                           \
  MAZUR_WIDE_TO(wchar_t*, name,                                                          \
                (wchar_t * to, const wchar_t* from, std::size_t size, std::size_t room), \
                (to, from, size, room), if (size <= room) call.reads(from, read),        \
                call.writes(to, size* kUnit))
MAZUR_COPY(__wcsncpy_chk, wide_size(from, size))
MAZUR_COPY(__wcpncpy_chk, wide_size(from, size))
MAZUR_COPY(__wmemcpy_chk, size* kUnit)
MAZUR_COPY(__wmemmove_chk, size* kUnit)
MAZUR_COPY(__wmempcpy_chk, size* kUnit)
#undef MAZUR_COPY
MAZUR_WIDE_TO(wchar_t*, wmemset, (wchar_t * to, wchar_t value, std::size_t size), (to, value, size),
              call.writes(to, size* kUnit))
MAZUR_WIDE_TO(wchar_t*, wcscat, (wchar_t * to, const wchar_t* from), (to, from),
              call.reads(from, wide_size(from)), call.reads(to, wide_size(to)),
              call.writes(to + wcslen(to), wide_size(from)))
MAZUR_WIDE_TO(wchar_t*, wcsncat, (wchar_t * to, const wchar_t* from, std::size_t size),
              (to, from, size), call.reads(from, wide_size(from, size)),
              call.reads(to, wide_size(to)),
              call.writes(to + wcslen(to), (wcsnlen(from, size) + 1) * kUnit))

MAZUR_LIBRARY(wchar_t*, wcsdup, (const wchar_t* text)) {
  LibraryCall call("wcsdup", MAZUR_CALLER);
  call.touches([&] { call.reads(text, wide_size(text)); });
  wchar_t* const copy = MAZUR_REAL(wcsdup)(text);
  if (call && copy != nullptr) call.wrote(copy, wide_size(copy));
  return copy;
}

// ---- Comparisons and searches

MAZUR_WIDE(int, wcscmp, (const wchar_t* a, const wchar_t* b), (a, b),
           call.reads(a, compared(a, b, kAllOfIt, true)),
           call.reads(b, compared(a, b, kAllOfIt, true)))
MAZUR_WIDE(int, wcsncmp, (const wchar_t* a, const wchar_t* b, std::size_t size), (a, b, size),
           call.reads(a, compared(a, b, size, true)), call.reads(b, compared(a, b, size, true)))
MAZUR_WIDE(int, wmemcmp, (const wchar_t* a, const wchar_t* b, std::size_t size), (a, b, size),
           call.reads(a, compared(a, b, size, false)), call.reads(b, compared(a, b, size, false)))
MAZUR_WIDE(wchar_t*, wcschr, (const wchar_t* text, wchar_t wanted), (text, wanted),
           call.reads(text, up_to(text, MAZUR_REAL(wcschr)(text, wanted), wide_size(text))))
MAZUR_WIDE(wchar_t*, wmemchr, (const wchar_t* text, wchar_t wanted, std::size_t size),
           (text, wanted, size),
           call.reads(text, up_to(text, MAZUR_REAL(wmemchr)(text, wanted, size), size* kUnit)))
MAZUR_WIDE(wchar_t*, wcsrchr, (const wchar_t* text, wchar_t wanted), (text, wanted),
           call.reads(text, wide_size(text)))
MAZUR_WIDE(wchar_t*, wcsstr, (const wchar_t* text, const wchar_t* part), (text, part),
           call.reads(part, wide_size(part)), call.reads(text, wide_size(text)))

// ---- Conversions

MAZUR_LIBRARY(std::size_t, mbstowcs, (wchar_t * to, const char* from, std::size_t size)) {
  LibraryCall call("mbstowcs", MAZUR_CALLER);
  note_library_write(to, MAZUR_CALLER);
  call.touches([&] {
    call.reads(from, string_size(from));
    call.may_write(to, size * kUnit);
  });
  const std::size_t length = MAZUR_REAL(mbstowcs)(to, from, size);
  if (length != ~std::size_t{0}) call.wrote(to, (length < size ? length + 1 : length) * kUnit);
  return length;
}

MAZUR_LIBRARY(std::size_t, wcstombs, (char* to, const wchar_t* from, std::size_t size)) {
  LibraryCall call("wcstombs", MAZUR_CALLER);
  note_library_write(to, MAZUR_CALLER);
  call.touches([&] {
    call.reads(from, wide_size(from));
    call.may_write(to, size);
  });
  const std::size_t length = MAZUR_REAL(wcstombs)(to, from, size);
  if (length != ~std::size_t{0}) call.wrote(to, length < size ? length + 1 : length);
  return length;
}
