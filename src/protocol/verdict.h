// How an exploration stands, and what it came to.
#pragma once

#include <cstdint>

namespace mazur {

// What became of the executions so far.
struct Tally {
  std::uint64_t complete = 0;        // ran to their end, deadlocks included
  std::uint64_t blocked = 0;         // started and found redundant
  std::uint64_t assume_blocked = 0;  // stopped by a failed assume
  std::uint64_t bounded = 0;         // cut by a bound
  std::uint64_t events = 0;          // executed steps, replayed ones included
  std::uint64_t failures = 0;        // executions with at least one error
  std::uint64_t depth = 0;           // events of the last execution
  std::uint64_t total() const { return complete + blocked + assume_blocked + bounded; }
};

enum class Verdict : std::uint8_t { kVerified, kBug, kError, kIncomplete, kUnsupported };

// The part that is done, in [0, 1]. at_least is 0 if only the other end is known.
struct Explored {
  double at_least = 0, at_most = 0;
  bool known() const { return at_most > 0; }
  friend bool operator==(const Explored&, const Explored&) = default;
};

}  // namespace mazur
