// The keys of items: lists of numbers of 32 bits, most significant byte first, so that the order of
// the bytes is that of the lists.
#pragma once

#include <cstdint>
#include <string>

#include "work/store.h"

namespace mazur {

// Where they become longer, all are renumbered.
inline constexpr std::size_t kLongestKey = 512;

inline std::string key_of_number(std::uint32_t number) {
  std::string key;
  for (int shift = 24; shift >= 0; shift -= 8) key.push_back(static_cast<char>(number >> shift));
  return key;
}

inline std::string child_key(const std::string& parent, std::uint32_t component) {
  return parent + key_of_number(component);
}

// The depth is that of the last execution.
inline Sums sum(Sums all, const Sums& more) {
  all.open += more.open;
  all.claimed += more.claimed;
  all.slices += more.slices;
  all.microseconds += more.microseconds;
  all.explored += more.explored;
  Tally& tally = all.tally;
  tally.complete += more.tally.complete;
  tally.blocked += more.tally.blocked;
  tally.assume_blocked += more.tally.assume_blocked;
  tally.bounded += more.tally.bounded;
  tally.events += more.tally.events;
  tally.failures += more.tally.failures;
  if (more.tally.depth != 0) tally.depth = more.tally.depth;
  return all;
}

}  // namespace mazur
