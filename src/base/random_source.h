// Pseudo-random numbers for explorers: splitmix64, small and fast, good enough to draw schedules.
#pragma once

#include <cstdint>

namespace mazur {

class RandomSource {
 public:
  // Streams of one seed with different numbers are unrelated.
  RandomSource(std::uint64_t seed, std::uint64_t stream)
      : state_(mix(seed * kStep + 1) ^ mix(stream * kStep + 2)) {}

  std::uint64_t next() { return mix(state_ += kStep); }

  // Uniform in [0, n), n > 0, up to a bias of n / 2^32.
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32);
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;

  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace mazur
