// Pseudo-random numbers for explorers: splitmix64, small and fast, good enough to draw schedules.
#pragma once

#include <cstdint>

#include "base/hash.h"

namespace mazur {

// SplitMix64: the next number of the stream with this state.
inline std::uint64_t next_random(std::uint64_t& state) { return scrambled(state += spread(1)); }

class RandomSource {
 public:
  // Streams of one seed with different numbers are unrelated.
  RandomSource(std::uint64_t seed, std::uint64_t stream)
      : state_(scrambled(spread(seed) + 1) ^ scrambled(spread(stream) + 2)) {}

  std::uint64_t next() { return next_random(state_); }

  // Uniform in [0, n), n > 0, up to a bias of n / 2^32.
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32);
  }

 private:
  std::uint64_t state_;
};

}  // namespace mazur
