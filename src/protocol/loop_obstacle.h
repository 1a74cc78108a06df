// Why a loop is not taken for one that waits, for the report of an execution that was cut in it.
#pragma once

#include <cstdint>

namespace mazur {

// What stood in the way in a round. It is at the place of the event, or of the call stack, that
// comes with it. A number is never given another meaning: they travel between processes.
enum class LoopObstacle : std::uint8_t {
  kNone,
  kOperation,   // an operation that changes something, or may not be part of a round
  kWrite,       // a plain write elsewhere than to the thread's own stack
  kAllocation,  // malloc, free and their like
  kClock,       // a look at a clock
  kRandom,      // a random number
  kChange,      // some other change of memory, perhaps by a function of a library
  kCounter,     // a register or the stack was another one after the round
  kReads,       // too many reads, or other operations
  kDeepStack,   // too much stack to compare
  kHolds,       // it gives away what it has not taken in the round
  kSeen,        // others have looked at what it held
  kShownLocals  // it wrote to its stack where others look, with locks that it gave back
};

}  // namespace mazur
