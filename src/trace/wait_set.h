// Loops that wait (docs/waiting.md): a thread that has come back to where it was, with nothing
// changed, goes on when another thread has written one of the locations it read in that round.
//
// It goes on with its next operation, a kLoad, kRmw or kCas. Operation::object2 says what that one
// waits for: kOwnLocation, or a set of locations besides its own. Once such a write has happened it
// is enabled for good, so nothing ever disables it. It reads all that it waits for, so the writes
// that enable it happen before it.
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

// kLoad, kStore, kRmw, kCas: what the round of a loop that it begins waits for. 0: it begins none.
inline ObjectId waits_for(const Operation& op) { return op.object2; }
// It waits for its own location only.
inline constexpr ObjectId kOwnLocation = 1;
// Whether it reads locations besides its own, because it waits for them.
inline bool reads_other_locations(const Operation& op) { return waits_for(op) > kOwnLocation; }
// How many locations a set can have, besides the operation's own.
inline constexpr std::size_t kMaxWaitSet = 3;

// Whether an operation begins a round of a loop that waits.
inline bool is_waiting_round(const Operation& op) {
  return waits_for(op) != 0 &&
         (op.kind == OpKind::kLoad || op.kind == OpKind::kRmw || op.kind == OpKind::kCas);
}

// The name of a set of other locations; kOwnLocation for the empty set. 0 if it has more than
// kMaxWaitSet locations, or if there are more sets than can be kept.
ObjectId name_wait_set(std::span<const Location> others);
// The set with this name, which name_wait_set() must have given out.
std::span<const Location> wait_set(ObjectId name);

// Where the sets are kept. A process that forks to execute puts them into shared memory, where all
// see them.
std::size_t wait_sets_size();
void keep_wait_sets_in(void* zeroed_memory);

}  // namespace mazur
