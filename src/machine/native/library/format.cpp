#include "machine/native/library/format.h"

#include <wchar.h>

namespace mazur::native {
namespace {

using Kind = FormatArgument::Kind;

// How an argument is passed.
enum class Passed : std::uint8_t { kNothing, kInt, kLong, kDouble, kLongDouble, kPointer };

enum class Length : std::uint8_t { kNone, kChar, kShort, kLong, kLongDouble };

std::size_t bytes_of(Length length) {
  switch (length) {
    case Length::kChar:
      return 1;
    case Length::kShort:
      return 2;
    case Length::kLong:
      return 8;
    default:
      return 4;
  }
}

template <typename Char>
bool is_digit(Char c) {
  return c >= '0' && c <= '9';
}

// What converts integers and floating-point numbers, in both families.
constexpr char kIntegers[] = "diouxXb";
constexpr char kFloats[] = "eEfFgGaA";

template <typename Char>
bool is_one_of(Char conversion, const char* set) {
  while (*set != 0 && static_cast<Char>(*set) != conversion) ++set;
  return *set != 0;
}

template <typename Char>
class Parser {
 public:
  Parser(const Char* format, FormatArguments& out) : at_(format), out_(out) {}

 protected:
  bool next_directive() {
    while (*at_ != 0 && *at_ != '%') ++at_;
    if (*at_ == 0) return false;
    ++at_;
    return true;
  }

  std::size_t number() {
    std::size_t value = 0;
    for (; is_digit(*at_); ++at_) value = value * 10 + static_cast<std::size_t>(*at_ - '0');
    return value;
  }

  // "3$" is the place of an argument, counted from 1. Returns 0 if there is none.
  std::size_t read_position() {
    const Char* const from = at_;
    const std::size_t value = number();
    if (value != 0 && *at_ == '$') {
      ++at_;
      return value;
    }
    at_ = from;
    return 0;
  }

  Length read_length() {
    switch (*at_) {
      case 'h':
        if (*++at_ != 'h') return Length::kShort;
        ++at_;
        return Length::kChar;
      case 'l':
        if (*++at_ == 'l') ++at_;
        return Length::kLong;
      case 'q':
      case 'j':
      case 'z':
      case 'Z':
      case 't':
        ++at_;
        return Length::kLong;
      case 'L':
        ++at_;
        return Length::kLongDouble;
      default:
        return Length::kNone;
    }
  }

  bool add(const FormatArgument& argument) {
    if (out_.count == FormatArguments::kMost) return false;
    if (argument.address != nullptr) out_.list[out_.count++] = argument;
    return true;
  }

  const Char* at_;
  FormatArguments& out_;
};

// ---- printf: arguments may be used by number, so all of them are passed over first.

template <typename Char>
class PrintParser : Parser<Char> {
  using Base = Parser<Char>;
  using Base::add, Base::at_, Base::read_length, Base::next_directive, Base::number,
      Base::read_position;

 public:
  using Base::Base;

  void run(std::va_list arguments) {
    while (next_directive() && directive()) {
    }
    std::uint64_t values[kMost];
    for (std::size_t i = 0; i < passed_count_; ++i) values[i] = take(passed_[i], arguments);
    for (std::size_t i = 0; i < use_count_; ++i) {
      FormatArgument argument = uses_[i].argument;
      argument.address = reinterpret_cast<void*>(values[uses_[i].at]);
      if (uses_[i].limit != kMost) {
        const auto limit = static_cast<int>(values[uses_[i].limit]);
        argument.most = limit < 0 ? FormatArgument::kNoLimit : static_cast<std::size_t>(limit);
      }
      add(argument);
    }
  }

 private:
  static constexpr std::size_t kMost = FormatArguments::kMost;

  struct Use {
    FormatArgument argument;
    std::size_t at;
    std::size_t limit;  // the argument with the precision, or kMost
  };

  static std::uint64_t take(Passed passed, std::va_list arguments) {
    switch (passed) {
      case Passed::kNothing:
      case Passed::kInt:
        return static_cast<std::uint64_t>(va_arg(arguments, int));
      case Passed::kLong:
        return static_cast<std::uint64_t>(va_arg(arguments, long));
      case Passed::kDouble:
        va_arg(arguments, double);
        return 0;
      case Passed::kLongDouble:
        va_arg(arguments, long double);
        return 0;
      case Passed::kPointer:
        return reinterpret_cast<std::uint64_t>(va_arg(arguments, void*));
    }
    return 0;
  }

  // The place of an argument that is passed like this; kMost: there are too many.
  std::size_t argument(std::size_t position, Passed passed) {
    const std::size_t at = position != 0 ? position - 1 : next_++;
    if (at >= kMost) return kMost;
    passed_[at] = passed;
    if (at >= passed_count_) passed_count_ = at + 1;
    return at;
  }

  // The most characters of a text that a directive looks at: a number, or an argument.
  struct Precision {
    std::size_t most = FormatArgument::kNoLimit;
    std::size_t argument = kMost;
  };

  // Behind the percent sign. False: nothing more can be said.
  bool directive() {
    const std::size_t place = read_position();
    pass_over_flags();
    Precision precision;
    if (!width() || !read_precision(precision)) return false;
    const Length length = read_length();
    const Char conversion = *at_;
    if (conversion == 0) return false;
    ++at_;
    return convert(conversion, length, place, precision);
  }

  void pass_over_flags() {
    for (; *at_ != 0; ++at_) {
      const Char c = *at_;
      if (c != '-' && c != '+' && c != ' ' && c != '#' && c != '0' && c != '\'' && c != 'I') break;
    }
  }

  bool width() {
    if (*at_ != '*') {
      number();
      return true;
    }
    ++at_;
    return argument(read_position(), Passed::kInt) != kMost;
  }

  bool read_precision(Precision& precision) {
    if (*at_ != '.') return true;
    ++at_;
    if (*at_ != '*') {
      precision.most = *at_ == '-' ? FormatArgument::kNoLimit : number();
      return true;
    }
    ++at_;
    precision.argument = argument(read_position(), Passed::kInt);
    return precision.argument != kMost;
  }

  bool convert(Char conversion, Length length, std::size_t place, const Precision& precision) {
    if (is_one_of(conversion, kIntegers) || is_one_of(conversion, "BcC"))
      return argument(place, length >= Length::kLong ? Passed::kLong : Passed::kInt) != kMost;
    if (is_one_of(conversion, kFloats)) {
      const bool is_long = length == Length::kLongDouble;
      return argument(place, is_long ? Passed::kLongDouble : Passed::kDouble) != kMost;
    }
    switch (conversion) {
      case '%':
      case 'm':
        return true;
      case 'p':
        return argument(place, Passed::kPointer) != kMost;
      case 's':
      case 'S': {
        const bool wide = conversion == 'S' || length == Length::kLong;
        return use({.kind = wide ? Kind::kWideString : Kind::kString,
                    .counts = true,
                    .most = precision.most},
                   place, precision.argument);
      }
      case 'n':
        return use({.kind = Kind::kValue, .counts = false, .size = bytes_of(length)}, place, kMost);
      default:
        return false;
    }
  }

  bool use(const FormatArgument& what, std::size_t place, std::size_t limit) {
    const std::size_t at = argument(place, Passed::kPointer);
    if (at == kMost || use_count_ == kMost) return false;
    uses_[use_count_++] = {what, at, limit};
    return true;
  }

  std::size_t next_ = 0;
  Passed passed_[kMost] = {};
  std::size_t passed_count_ = 0;
  Use uses_[kMost];
  std::size_t use_count_ = 0;
};

// ---- scanf

template <typename Char>
class ScanParser : Parser<Char> {
  using Base = Parser<Char>;
  using Base::add, Base::at_, Base::read_length, Base::next_directive, Base::number,
      Base::read_position;

 public:
  using Base::Base;

  void run(std::va_list arguments) {
    while (next_directive() && directive(arguments)) {
    }
  }

 private:
  void skip_set() {
    if (*at_ == '^') ++at_;
    if (*at_ == ']') ++at_;
    while (*at_ != 0 && *at_ != ']') ++at_;
    if (*at_ != 0) ++at_;
  }

  // Behind the percent sign. False: nothing more can be said.
  bool directive(std::va_list arguments) {
    if (*at_ == '%') {
      ++at_;
      return true;
    }
    if (read_position() != 0) return false;
    bool skipped = false, allocated = false;
    for (; *at_ == '*' || *at_ == '\'' || *at_ == 'I'; ++at_) skipped |= *at_ == '*';
    const bool limited = is_digit(*at_);
    const std::size_t width = number();
    for (; *at_ == 'm'; ++at_) allocated = true;
    const Length length = read_length();
    const Char conversion = *at_;
    if (conversion == 0) return false;
    ++at_;
    if (conversion == '[') skip_set();
    FormatArgument argument = {
        .kind = Kind::kValue, .counts = true, .most = FormatArgument::kNoLimit};
    if (!describe(conversion, length, argument)) return false;
    if (skipped) return true;
    if (limited) argument.most = width;
    if (argument.kind == Kind::kCharacters) argument.size = limited ? width : 1;
    if (allocated) argument.kind = Kind::kAllocated;
    argument.address = va_arg(arguments, void*);
    return add(argument);
  }

  static bool describe(Char conversion, Length length, FormatArgument& out) {
    const bool wide = length == Length::kLong;
    if (is_one_of(conversion, kIntegers)) {
      out.size = length == Length::kLongDouble ? 8 : bytes_of(length);
      return true;
    }
    if (is_one_of(conversion, kFloats)) {
      out.size = length == Length::kLongDouble ? 16 : wide ? 8 : 4;
      return true;
    }
    switch (conversion) {
      case 'n':
        out.size = bytes_of(length);
        out.counts = false;
        return true;
      case 'p':
        out.size = sizeof(void*);
        return true;
      case 's':
      case '[':
        out.kind = wide ? Kind::kWideString : Kind::kString;
        return true;
      case 'c':
        out.kind = Kind::kCharacters;
        return !wide;
      default:
        return false;
    }
  }
};

}  // namespace

template <typename Char>
void parse_printf(const Char* format, std::va_list arguments, FormatArguments& out) {
  PrintParser<Char>(format, out).run(arguments);
}
template <typename Char>
void parse_scanf(const Char* format, std::va_list arguments, FormatArguments& out) {
  ScanParser<Char>(format, out).run(arguments);
}

template void parse_printf(const char*, std::va_list, FormatArguments&);
template void parse_printf(const wchar_t*, std::va_list, FormatArguments&);
template void parse_scanf(const char*, std::va_list, FormatArguments&);

}  // namespace mazur::native
