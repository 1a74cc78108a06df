// Rows of vector clocks: how many events of each thread. Their length is a multiple of kClockStep.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazur {

inline constexpr std::size_t kClockStep = 8;

// Four counts. They fit into 31 bits, so they can be signed: x86-64 compares those in one
// instruction.
using FourCounts [[gnu::vector_size(16), gnu::aligned(4), gnu::may_alias]] = std::int32_t;
inline FourCounts four_counts(const std::uint32_t* at) {
  return *reinterpret_cast<const FourCounts*>(at);
}

// All bits of one of four counts.
inline constexpr FourCounts kOneCount[4] = {
    {-1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}, {0, 0, 0, -1}};

inline void copy_clock(std::uint32_t* to, const std::uint32_t* from, std::size_t length) {
  for (std::size_t t = 0; t < length; t += 4)
    *reinterpret_cast<FourCounts*>(to + t) = four_counts(from + t);
}

// Copies a clock with another count for one thread. If `from` is null, all other counts are 0. The
// row is written in whole pieces: if it is read again at once, that must not wait for one count.
inline void start_clock(std::uint32_t* to, const std::uint32_t* from, std::size_t length,
                        std::size_t thread, std::uint32_t count) {
  if (from != nullptr)
    copy_clock(to, from, length);
  else
    for (std::size_t t = 0; t < length; t += 4)
      *reinterpret_cast<FourCounts*>(to + t) = FourCounts{};
  const std::size_t group = thread & ~std::size_t{3};
  const FourCounts old = from != nullptr ? four_counts(from + group) : FourCounts{};
  const FourCounts mine = kOneCount[thread & 3];
  *reinterpret_cast<FourCounts*>(to + group) =
      (old & ~mine) | (mine & static_cast<std::int32_t>(count));
}

// The larger of each two counts.
inline void join_clock(std::uint32_t* clock, const std::uint32_t* other, std::size_t length) {
  for (std::size_t t = 0; t < length; t += kClockStep) {
    const FourCounts a = four_counts(clock + t), b = four_counts(other + t);
    const FourCounts c = four_counts(clock + t + 4), d = four_counts(other + t + 4);
    *reinterpret_cast<FourCounts*>(clock + t) = a > b ? a : b;
    *reinterpret_cast<FourCounts*>(clock + t + 4) = c > d ? c : d;
  }
}

// How many counts are larger in the first one.
inline std::int32_t count_more(const std::uint32_t* clock, const std::uint32_t* other,
                               std::size_t length) {
  FourCounts count{};
  for (std::size_t t = 0; t < length; t += 4)
    count -= four_counts(clock + t) > four_counts(other + t);  // -1 where it is so
  return count[0] + count[1] + count[2] + count[3];
}

}  // namespace mazur
