// Hashing: one number at a time, words of memory, and FNV-1a for what stands in files.
//
// What these return for given arguments never changes: some of it is a name that stands in trace
// files and caches. None of it keeps anybody out who wants a collision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace mazur {

// To begin with: digits of pi, so that a hash of nothing, or of zeroes, is not zero.
inline constexpr std::uint64_t kHashSeed = 0x243f6a8885a308d3;

// Neighbouring numbers end up far apart: 2^64 divided by the golden ratio. The upper bits depend on
// all bits of the number, the lower ones only on those below them.
constexpr std::uint64_t spread(std::uint64_t number) { return number * 0x9e3779b97f4a7c15; }

// The same with the upper half folded into the lower one: a place in a table is `folded(x) & mask`.
constexpr std::uint64_t folded(std::uint64_t number) {
  const std::uint64_t h = spread(number);
  return h ^ h >> 32;
}

// A hash of a sequence so far, with one more number. The order of the numbers counts.
constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t number) {
  const std::uint64_t h = spread(hash ^ number);
  return h ^ h >> 29;
}

// The same, mixed twice: for hashes that are added up, as names of sets are.
constexpr std::uint64_t mixed_well(std::uint64_t hash, std::uint64_t number) {
  const std::uint64_t h = folded(hash ^ number) * 0xd6e8feb86659fd93;
  return h ^ h >> 29;
}

// Calls mix(word) for the words of [begin, end); the last one is filled up with zeroes.
template <typename Mix>
inline void for_each_word(const char* begin, const char* end, Mix&& mix) {
  for (; end - begin >= 8; begin += 8) {
    std::uint64_t word;
    std::memcpy(&word, begin, sizeof word);
    mix(word);
  }
  if (begin >= end) return;
  std::uint64_t word = 0;
  std::memcpy(&word, begin, static_cast<std::size_t>(end - begin));
  mix(word);
}

// The scrambler of Steele, Lea and Flood's SplitMix64: a bijection in which every bit of the result
// depends on all bits of the number.
constexpr std::uint64_t scrambled(std::uint64_t number) {
  std::uint64_t z = number;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// 64-bit FNV-1a: enough to notice damage. add() takes a byte as published, or a whole number.
class Fnv1a {
 public:
  constexpr void add(std::uint64_t number) { hash_ = (hash_ ^ number) * 0x100000001b3; }
  constexpr std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

constexpr std::uint64_t fnv1a(std::span<const char> bytes) {
  Fnv1a hash;
  for (const char byte : bytes) hash.add(static_cast<unsigned char>(byte));
  return hash.value();
}

}  // namespace mazur
