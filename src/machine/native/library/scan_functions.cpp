// The scanf family: the format and the text are read, and what was converted is written.
//
// Enabled, does, depends on, reversible: plain accesses (library_call.h).
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include <cstdarg>

#include "machine/native/library/format.h"
#include "machine/native/library/library_call.h"
#include "machine/native/system/input.h"

using namespace mazur::native;

namespace {

using Kind = FormatArgument::Kind;

// For a string of unknown length: at most this much is written.
constexpr std::size_t kLongLine = 4096;

class Scanning {
 public:
  // `text`: what is scanned, or null for a stream.
  Scanning(LibraryCall& call, const char* text, const char* format, std::va_list arguments)
      : call_(call), text_(text), format_(format) {
    if (!call) return;
    std::va_list copy;
    va_copy(copy, arguments);
    parse_scanf(format, copy, arguments_);
    va_end(copy);
  }

  void tell_before() {
    call_.touches([this] {
      call_.reads(format_, string_size(format_));
      call_.reads(text_, string_size(text_));
      for (const FormatArgument& argument : arguments_) may_write(argument);
    });
  }

  void tell_after(int converted) {
    int left = converted;
    for (const FormatArgument& argument : arguments_) {
      if (argument.counts && --left < 0) return;
      wrote(argument);
    }
  }

 private:
  void may_write(const FormatArgument& argument) {
    switch (argument.kind) {
      case Kind::kString:
      case Kind::kWideString: {
        const std::size_t unit = argument.kind == Kind::kString ? 1 : sizeof(wchar_t);
        if (argument.most != FormatArgument::kNoLimit)
          call_.may_write(argument.address, (argument.most + 1) * unit, text_ != nullptr);
        else if (text_ != nullptr)
          call_.may_write(argument.address, string_size(text_) * unit, false);
        else
          call_.may_write(argument.address, kLongLine, false);
        return;
      }
      case Kind::kAllocated:
        return call_.may_write(argument.address, sizeof(void*));
      default:
        return call_.may_write(argument.address, argument.size);
    }
  }

  void wrote(const FormatArgument& argument) {
    switch (argument.kind) {
      case Kind::kString:
        return call_.wrote(argument.address, strlen(static_cast<char*>(argument.address)) + 1);
      case Kind::kWideString:
        return call_.wrote(argument.address,
                           (wcslen(static_cast<wchar_t*>(argument.address)) + 1) * sizeof(wchar_t));
      case Kind::kAllocated:
        return call_.wrote(argument.address, sizeof(void*));
      default:
        return call_.wrote(argument.address, argument.size);
    }
  }

  LibraryCall& call_;
  const char* const text_;
  const char* const format_;
  FormatArguments arguments_;
};

template <typename F>
int told_scan(const char* name, const char* text, const char* format, std::va_list arguments,
              const void* pc, F&& scan) {
  LibraryCall call(name, pc);
  note_library_change(pc);
  if (!call) return scan();
  Scanning scanning(call, text, format, arguments);
  scanning.tell_before();
  const int converted = scan();
  scanning.tell_after(converted);
  return converted;
}

// glibc has a function for each dialect.
struct Dialect {
  const char *stream_name, *text_name;
  int (*scan_stream)(FILE*, const char*, std::va_list);
  int (*scan_text)(const char*, const char*, std::va_list);
};

int scan(Dialect& dialect, const char* name, FILE* stream, const char* format,
         std::va_list arguments, const void* pc) {
  prepare_stream(stream, pc);
  return told_scan(name, nullptr, format, arguments, pc, [&] {
    return real(dialect.scan_stream, dialect.stream_name)(stream, format, arguments);
  });
}

int scan(Dialect& dialect, const char* name, const char* text, const char* format,
         std::va_list arguments, const void* pc) {
  return told_scan(name, text, format, arguments, pc, [&] {
    return real(dialect.scan_text, dialect.text_name)(text, format, arguments);
  });
}

}  // namespace

#define MAZUR_SCAN(prefix, name, parameters, from)                                                \
  MAZUR_EXPORT int mazur##prefix##v##name(MAZUR_WORDS parameters const char* format,              \
                                          std::va_list arguments) asm(#prefix "v" #name);         \
  int mazur##prefix##v##name(MAZUR_WORDS parameters const char* format, std::va_list arguments) { \
    return scan(dialect##prefix, "v" #name, from, format, arguments, MAZUR_CALLER);               \
  }                                                                                               \
  MAZUR_EXPORT int mazur##prefix##name(MAZUR_WORDS parameters const char* format,                 \
                                       ...) asm(#prefix #name);                                   \
  int mazur##prefix##name(MAZUR_WORDS parameters const char* format, ...) {                       \
    std::va_list arguments;                                                                       \
    va_start(arguments, format);                                                                  \
    const int result = scan(dialect##prefix, #name, from, format, arguments, MAZUR_CALLER);       \
    va_end(arguments);                                                                            \
    return result;                                                                                \
  }
#define MAZUR_WORDS(...) __VA_ARGS__ __VA_OPT__(, )

// The header gives scanf and its relatives the first names; the plain names are glibc's older
// dialect, and the last ones those of newer versions of it.
#define MAZUR_SCANF(prefix)                                                                  \
  static Dialect dialect##prefix = {#prefix "vfscanf", #prefix "vsscanf", nullptr, nullptr}; \
  MAZUR_SCAN(prefix, scanf, (), stdin)                                                       \
  MAZUR_SCAN(prefix, fscanf, (FILE * stream), stream)                                        \
  MAZUR_SCAN(prefix, sscanf, (const char* text), text)
MAZUR_SCANF(__isoc99_)
MAZUR_SCANF(__isoc23_)
MAZUR_SCANF()
