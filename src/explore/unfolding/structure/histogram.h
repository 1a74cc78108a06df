// How often each size of number occurred: 0, 1, 2, 3-4, 5-8, 9-16, ...
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

namespace mazur::unfolding {

class Histogram {
 public:
  void add(std::uint32_t n) {
    ++counts_[n == 0 ? 0 : static_cast<std::size_t>(std::bit_width(n - 1)) + 1];
    ++total_;
    sum_ += n;
    if (n > largest_) largest_ = n;
  }
  std::uint64_t total() const { return total_; }
  std::uint32_t largest() const { return largest_; }
  double average() const {
    return total_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(total_);
  }
  // "0: 12%, 1: 60%, 3-4: 28%".
  std::string text() const;

 private:
  std::array<std::uint64_t, 34> counts_{};
  std::uint64_t total_ = 0;
  std::uint64_t sum_ = 0;
  std::uint32_t largest_ = 0;
};

}  // namespace mazur::unfolding
