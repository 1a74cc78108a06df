// The printf family: the format and the strings it prints are read, %n and the buffer written.
//
// Enabled, does, depends on, reversible: plain accesses (library_call.h). What goes to a stream is
// under the stream's own lock, and is no access of the program.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include <algorithm>
#include <cstdarg>

#include "machine/native/library/format.h"
#include "machine/native/library/library_call.h"
#include "machine/native/memory/private_heap.h"

using namespace mazur::native;

namespace {

using Kind = FormatArgument::Kind;

std::size_t size_of(const char* text) { return strlen(text) + 1; }
std::size_t size_of(const wchar_t* text) { return (wcslen(text) + 1) * sizeof *text; }

std::size_t bytes_read(const FormatArgument& argument) {
  if (argument.kind == Kind::kString)
    return string_size(static_cast<const char*>(argument.address), argument.most);
  const auto* text = static_cast<const wchar_t*>(argument.address);
  const std::size_t length = wcsnlen(text, argument.most);
  return (length < argument.most ? length + 1 : length) * sizeof *text;
}

// What a call of the family touches besides its result. (clang deduces no class from a va_list.)
template <typename Char>
class Printing {
 public:
  Printing(LibraryCall& call, const Char* format, std::va_list arguments)
      : call_(call), format_(format) {
    if (!call) return;
    std::va_list copy;
    va_copy(copy, arguments);
    parse_printf(format, copy, arguments_);
    va_end(copy);
  }

  void tell() const {
    call_.reads(format_, size_of(format_));
    for (const FormatArgument& argument : arguments_) {
      if (argument.kind == Kind::kValue)
        call_.writes(argument.address, argument.size);
      else
        call_.reads(argument.address, bytes_read(argument));
    }
  }

  // How long the text would be. What %n writes on the way is undone.
  int length(std::va_list arguments) const {
    const PrivateHeapScope scope;
    std::uint64_t before[FormatArguments::kMost];
    const int error = errno;
    for (std::size_t i = 0; i < arguments_.count; ++i)
      if (arguments_.list[i].kind == Kind::kValue)
        memcpy(&before[i], arguments_.list[i].address, arguments_.list[i].size);
    std::va_list copy;
    va_copy(copy, arguments);
    const int result = vsnprintf(nullptr, 0, format_, copy);
    va_end(copy);
    for (std::size_t i = 0; i < arguments_.count; ++i)
      if (arguments_.list[i].kind == Kind::kValue)
        memcpy(arguments_.list[i].address, &before[i], arguments_.list[i].size);
    errno = error;
    return result;
  }

 private:
  LibraryCall& call_;
  const Char* const format_;
  FormatArguments arguments_;
};

constexpr std::size_t kUnlimited = ~std::size_t{0};

// Into a buffer of `size` bytes. `print` calls the real function.
template <typename F>
int print_into(const char* name, const void* pc, char* to, std::size_t size, const char* format,
               std::va_list arguments, F&& print) {
  LibraryCall call(name, pc);
  note_library_write(to, pc);
  if (!call) return print();
  const Printing<char> printing(call, format, arguments);
  const auto written = [size](int length) -> std::size_t {
    return length < 0 ? 0 : std::min(static_cast<std::size_t>(length) + 1, size);
  };
  // Where the write can be an event, its size must be known before it begins.
  const bool ahead = runtime.explore_plain;
  call.touches([&] {
    printing.tell();
    if (ahead) call.writes(to, written(printing.length(arguments)));
  });
  const int length = print();
  if (!ahead) call.wrote(to, written(length));
  return length;
}

template <typename Char, typename F>
int print_out(const char* name, const void* pc, const Char* format, std::va_list arguments,
              F&& print) {
  LibraryCall call(name, pc);
  if (!call) return print();
  const Printing<Char> printing(call, format, arguments);
  call.touches([&] { printing.tell(); });
  return print();
}

template <typename F>
int print_allocated(const char* name, const void* pc, char** to, const char* format,
                    std::va_list arguments, F&& print) {
  LibraryCall call(name, pc);
  note_library_change(pc);
  if (!call) return print();
  const Printing<char> printing(call, format, arguments);
  call.touches([&] {
    printing.tell();
    call.writes(to, sizeof *to);
  });
  const int length = print();
  if (length >= 0) call.wrote(*to, static_cast<std::size_t>(length) + 1);
  return length;
}

template <typename F>
int print_wide_into(const char* name, const void* pc, wchar_t* to, std::size_t size,
                    const wchar_t* format, std::va_list arguments, F&& print) {
  LibraryCall call(name, pc);
  note_library_write(to, pc);
  if (!call) return print();
  const Printing<wchar_t> printing(call, format, arguments);
  call.touches([&] {
    printing.tell();
    call.may_write(to, size * sizeof *to);
  });
  const int length = print();
  if (length >= 0) call.wrote(to, (static_cast<std::size_t>(length) + 1) * sizeof *to);
  return length;
}

}  // namespace

// Each function has a form with a va_list, which does the work of both. `parameters` and `passed`
// are those before the variable ones, `format` among them.
#define MAZUR_PRINT(name, vname, text, parameters, passed, how)                          \
  MAZUR_LIBRARY(int, vname, (MAZUR_WORDS parameters, std::va_list arguments)) {          \
    const void* const pc = MAZUR_CALLER;                                                 \
    const char* const function = "v" text;                                               \
    const auto print = [&] { return MAZUR_REAL(vname)(MAZUR_WORDS passed, arguments); }; \
    return how;                                                                          \
  }                                                                                      \
  MAZUR_EXPORT int mazur_##name(MAZUR_WORDS parameters, ...) asm(#name);                 \
  int mazur_##name(MAZUR_WORDS parameters, ...) {                                        \
    const void* const pc = MAZUR_CALLER;                                                 \
    const char* const function = text;                                                   \
    std::va_list arguments;                                                              \
    va_start(arguments, format);                                                         \
    const auto print = [&] { return MAZUR_REAL(vname)(MAZUR_WORDS passed, arguments); }; \
    const int result = how;                                                              \
    va_end(arguments);                                                                   \
    return result;                                                                       \
  }
#define MAZUR_WORDS(...) __VA_ARGS__

#define MAZUR_OUT print_out(function, pc, format, arguments, print)
MAZUR_PRINT(printf, vprintf, "printf", (const char* format), (format), MAZUR_OUT)
MAZUR_PRINT(fprintf, vfprintf, "fprintf", (FILE * stream, const char* format), (stream, format),
            MAZUR_OUT)
MAZUR_PRINT(dprintf, vdprintf, "dprintf", (int file, const char* format), (file, format), MAZUR_OUT)
MAZUR_PRINT(wprintf, vwprintf, "wprintf", (const wchar_t* format), (format), MAZUR_OUT)
MAZUR_PRINT(fwprintf, vfwprintf, "fwprintf", (FILE * stream, const wchar_t* format),
            (stream, format), MAZUR_OUT)
MAZUR_PRINT(__printf_chk, __vprintf_chk, "printf", (int flag, const char* format), (flag, format),
            MAZUR_OUT)
MAZUR_PRINT(__fprintf_chk, __vfprintf_chk, "fprintf", (FILE * stream, int flag, const char* format),
            (stream, flag, format), MAZUR_OUT)
MAZUR_PRINT(__dprintf_chk, __vdprintf_chk, "dprintf", (int file, int flag, const char* format),
            (file, flag, format), MAZUR_OUT)

MAZUR_PRINT(sprintf, vsprintf, "sprintf", (char* to, const char* format), (to, format),
            print_into(function, pc, to, kUnlimited, format, arguments, print))
MAZUR_PRINT(snprintf, vsnprintf, "snprintf", (char* to, std::size_t size, const char* format),
            (to, size, format), print_into(function, pc, to, size, format, arguments, print))
MAZUR_PRINT(__sprintf_chk, __vsprintf_chk, "sprintf",
            (char* to, int flag, std::size_t room, const char* format), (to, flag, room, format),
            print_into(function, pc, to, kUnlimited, format, arguments, print))
MAZUR_PRINT(__snprintf_chk, __vsnprintf_chk, "snprintf",
            (char* to, std::size_t size, int flag, std::size_t room, const char* format),
            (to, size, flag, room, format),
            print_into(function, pc, to, size, format, arguments, print))

MAZUR_PRINT(asprintf, vasprintf, "asprintf", (char** to, const char* format), (to, format),
            print_allocated(function, pc, to, format, arguments, print))
MAZUR_PRINT(__asprintf_chk, __vasprintf_chk, "asprintf", (char** to, int flag, const char* format),
            (to, flag, format), print_allocated(function, pc, to, format, arguments, print))
MAZUR_PRINT(swprintf, vswprintf, "swprintf",
            (wchar_t * to, std::size_t size, const wchar_t* format), (to, size, format),
            print_wide_into(function, pc, to, size, format, arguments, print))
