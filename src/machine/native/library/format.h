// Formats of the printf and scanf families: which arguments are pointers, and to what.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>

namespace mazur::native {

struct FormatArgument {
  enum class Kind : std::uint8_t {
    kString,      // printf: read; scanf: written, with a zero behind it
    kWideString,  // the same of wchar_t
    kCharacters,  // scanf %c: written, without a zero
    kValue,       // printf %n, and what scanf converts: `size` bytes are written
    kAllocated,   // scanf %ms and the like: a pointer to fresh memory is written
  };
  // Not initialised: a list of these is made for every call.
  Kind kind;
  bool counts;  // scanf: part of what it returns; %n is not
  void* address;
  std::size_t size;  // kValue: bytes; kCharacters: characters
  std::size_t most;  // strings: characters at most, without the zero
  static constexpr std::size_t kNoLimit = ~std::size_t{0};
};

// The arguments that are pointers to the program's memory, in the order of their use. What follows
// an unknown conversion is left out.
struct FormatArguments {
  static constexpr std::size_t kMost = 64;
  FormatArgument list[kMost];
  std::size_t count = 0;

  const FormatArgument* begin() const { return list; }
  const FormatArgument* end() const { return list + count; }
};

// `format` is of char or wchar_t.
template <typename Char>
void parse_printf(const Char* format, std::va_list arguments, FormatArguments& out);
template <typename Char>
void parse_scanf(const Char* format, std::va_list arguments, FormatArguments& out);

}  // namespace mazur::native
