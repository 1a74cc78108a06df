// Looks: loads with which loops wait for another value, as in `while (!flag.load()) {}`
// (docs/waiting.md).
//
// A thread that stands at such a load, in some state, comes back to it in the same state if it reads
// certain values, and has done nothing else meanwhile. Or it fails an assume, with nothing in between:
// `assume(serving.load() == mine)`. These values are *in vain* there. So the load is an await: it is
// disabled while memory holds one of them. Which values they are is found out while programs run. A
// value of which nothing is known counts as one that the thread goes on with; if it does not, it stops,
// as after any other round in vain (lock_round.h), and one more value is known.
//
// A load that is such a look has the name of its state in Operation::value. What is known only grows,
// and names mean the same until forget_looks().
#pragma once

#include <cstdint>

#include "trace/blocking/blocking.h"
#include "trace/fields.h"

namespace mazur {

// The name of a state in which a thread stands at a load: never 0, unless there are too many. Equal
// states, as 64 bits tell them, have equal names.
std::uint64_t name_look(std::uint64_t state);
// What is known of a value there.
enum class Look : std::uint8_t {
  kUnknown,  // or of use
  kInVain,   // the thread comes back
  kAssumed,  // it fails an assume
};
Look known_look(std::uint64_t name, std::uint64_t value);
inline bool is_known_in_vain(std::uint64_t name, std::uint64_t value) {
  return known_look(name, value) != Look::kUnknown;
}
// More than a few values are not kept.
void note_look(std::uint64_t name, std::uint64_t value, Look what);
// For another program.
void forget_looks();

// Whether a look was also enabled without the write e, with which it races. True if the labels do not
// tell.
bool look_holds_without(const Trace& trace, EventIndex e, EventIndex look);
// As disabling_races(), of a look. All writes to what it reads are ordered, so this is Algorithm 3
// with "enabled" in place of "not held".
void look_races(const Trace& trace, const Waiting& waiting, Disabled found);

}  // namespace mazur
