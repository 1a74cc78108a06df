// Loops that wait (docs/waiting.md): a thread that has come back to where it was, with nothing
// changed, goes on when another thread has written one of the locations it read in that round.
//
// The operation it goes on with is its next one, a kLoad, kRmw or kCas, whose object2 says what it
// waits for: kOwnLocation, or a set of locations besides its own. Once such a write has happened it
// is enabled for good, so nothing ever disables it; and since it reads all that it waits for, the
// writes that enable it happen before it.
//
// Sets are named by their contents: the same loop has the same name in every execution and process.
#pragma once

#include <cstdint>
#include <span>

#include "trace/label.h"

namespace mazur {

struct Location {
  ObjectId object = 0;
  std::uint32_t size = 0;
  friend bool operator==(const Location&, const Location&) = default;
};

// Operation::object2: it waits for its own location only.
inline constexpr ObjectId kOwnLocation = 1;
// How many locations a set can have, besides the operation's own.
inline constexpr std::size_t kMaxWaitSet = 3;

// Whether an operation begins a round of a loop that waits.
inline bool is_waiting_round(const Operation& op) {
  return op.object2 != 0 &&
         (op.kind == OpKind::kLoad || op.kind == OpKind::kRmw || op.kind == OpKind::kCas);
}

// The name of a set of other locations; kOwnLocation for none. 0 if it has more than kMaxWaitSet,
// or if there are more sets than can be kept.
ObjectId name_wait_set(std::span<const Location> others);
// The set with this name, which must have been given out by name_wait_set.
std::span<const Location> wait_set(ObjectId name);

// Where the sets are kept. A process that forks to execute puts them into shared memory, where all
// see them.
std::size_t wait_sets_size();
void keep_wait_sets_in(void* zeroed_memory);

}  // namespace mazur
