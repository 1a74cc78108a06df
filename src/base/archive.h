// Bytes from values and values from bytes, by one description of the fields.
//
// A description is a function of an archive and a value, and says in which order the fields stand:
//
//   constexpr auto module_fields = [](auto& archive, auto& module) {
//     archive.number(module.base);
//     archive.text(module.path);
//   };
//
// Given a Writer it appends the value to its bytes, given a Reader it sets the value. A Reader never
// reads outside of its bytes, and needs memory in proportion to them, whoever wrote them.
//
// A number stands in base 128, least significant group first; a text or a list as its size and its
// elements. bool and enumerations are numbers; a real number is one of 64 bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mazur {

class Writer {
 public:
  static constexpr bool kReads = false;

  template <typename T>
  void number(const T& value) {
    auto rest = static_cast<std::uint64_t>(value);
    while (rest >= 0x80) {
      out_.push_back(static_cast<char>(rest | 0x80));
      rest >>= 7;
    }
    out_.push_back(static_cast<char>(rest));
  }
  // `made_of`: which value a reader makes of a number, whatever it is.
  template <typename T, typename Convert>
  void number(const T& value, Convert /*made_of*/) {
    number(value);
  }
  // A reader refuses values above `last`.
  template <typename T>
  void number_up_to(const T& value, T) {
    number(value);
  }
  void real(double value) { number(std::bit_cast<std::uint64_t>(value)); }
  void text(const std::string& value) {
    number(value.size());
    out_ += value;
  }
  template <typename T, typename Fields>
  void list(const std::vector<T>& values, Fields fields) {
    number(values.size());
    for (const T& value : values) fields(*this, value);
  }
  void flags(bool first, bool second, bool third = false) {
    number((first ? 1 : 0) | (second ? 2 : 0) | (third ? 4 : 0));
  }
  void must(bool) {}

  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

// Counts the fewest bytes that a value can stand in: one for each field.
class FewestBytes {
 public:
  static constexpr bool kReads = true;

  template <typename T, typename Fields>
  static std::size_t of(Fields fields) {
    FewestBytes count;
    T value{};
    fields(count, value);
    return count.bytes_;
  }

  template <typename T, typename... Reading>
  void number(T&, Reading...) {
    ++bytes_;
  }
  template <typename T>
  void number_up_to(T&, T) {
    ++bytes_;
  }
  void real(double&) { ++bytes_; }
  void text(std::string&) { ++bytes_; }
  template <typename T, typename Fields>
  void list(std::vector<T>&, Fields) {
    ++bytes_;
  }
  void flags(bool&, bool&) { ++bytes_; }
  void flags(bool&, bool&, bool&) { ++bytes_; }
  void must(bool) {}

 private:
  std::size_t bytes_ = 0;
};

class Reader {
 public:
  static constexpr bool kReads = true;

  explicit Reader(std::span<const char> bytes) : bytes_(bytes) {}

  template <typename T>
  void number(T& value) {
    value = static_cast<T>(take_number());
  }
  template <typename T, typename Convert>
  void number(T& value, Convert made_of) {
    value = made_of(take_number());
  }
  template <typename T>
  void number_up_to(T& value, T last) {
    const std::uint64_t number = take_number();
    must(number <= static_cast<std::uint64_t>(last));
    if (good_) value = static_cast<T>(number);
  }
  void real(double& value) { value = std::bit_cast<double>(take_number()); }
  void text(std::string& value) {
    const std::uint64_t size = take_number();
    if (size > left()) {
      fail();
      return;
    }
    value.assign(bytes_.data() + at_, size);
    at_ += size;
  }
  // A size is believed only as far as the bytes go, so that a few bytes cannot ask for much memory.
  template <typename T, typename Fields>
  void list(std::vector<T>& values, Fields fields) {
    const std::uint64_t size = take_number();
    values.clear();
    if (size > left() / FewestBytes::of<T>(fields)) {
      fail();
      return;
    }
    values.reserve(size);
    for (std::uint64_t i = 0; i < size && good_; ++i) fields(*this, values.emplace_back());
  }
  void flags(bool& first, bool& second) {
    bool third = false;
    flags(first, second, third);
  }
  void flags(bool& first, bool& second, bool& third) {
    const std::uint64_t all = take_number();
    first = (all & 1) != 0;
    second = (all & 2) != 0;
    third = (all & 4) != 0;
  }
  // If it does not hold, the bytes as a whole are refused.
  void must(bool holds) { good_ = good_ && holds; }

  // Whether all bytes were read and made sense.
  bool done() const { return good_ && at_ == bytes_.size(); }

 private:
  std::uint64_t take_number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ >= bytes_.size()) return fail();
      const auto byte = static_cast<std::uint8_t>(bytes_[at_++]);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return fail();
  }
  std::uint64_t left() const { return good_ ? bytes_.size() - at_ : 0; }
  std::uint64_t fail() {
    good_ = false;
    return 0;
  }

  std::span<const char> bytes_;
  std::size_t at_ = 0;
  bool good_ = true;
};

}  // namespace mazur
