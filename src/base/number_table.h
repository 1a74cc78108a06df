// A hash table of values that are kept elsewhere and are known by their numbers, from 0 on: open
// addressing, at most half full. It never shrinks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mazur {

class NumberTable {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  // `buckets`: a power of two.
  explicit NumberTable(std::size_t buckets) : table_(buckets, kNone) {}

  // The number of the value with this hash for which is_it(number) holds, or kNone.
  template <typename IsIt>
  std::uint32_t find(std::uint64_t hash, IsIt&& is_it) const {
    const std::size_t mask = table_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask)
      if (table_[i] == kNone || is_it(table_[i])) return table_[i];
  }

  // Adds the next value. Its number is how many there were before. hash_of(number) is the hash of a
  // value.
  template <typename HashOf>
  void add(std::uint32_t number, HashOf&& hash_of) {
    std::uint32_t first = number;
    if ((std::size_t{number} + 1) * 2 > table_.size()) {
      table_.assign(table_.size() * 2, kNone);
      first = 0;
    }
    const std::size_t mask = table_.size() - 1;
    for (std::uint32_t n = first; n <= number; ++n) {
      std::size_t i = hash_of(n) & mask;
      while (table_[i] != kNone) i = (i + 1) & mask;
      table_[i] = n;
    }
  }

 private:
  std::vector<std::uint32_t> table_;
};

}  // namespace mazur
