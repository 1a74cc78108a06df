// The wide location: all that atomic blocks touch, as one.
//
// An event of a graph has one location. A block touches several, and which ones is known only when
// it has run. So all bytes and mutexes that some block has touched are one location (Locations). A
// block is an update of it. Outside of blocks a load of such a byte is a load of it, and everything
// else is an update, whatever it finds: the chain has all that can change.
#pragma once

#include "graph/effect.h"

namespace mazur {

// Whether an operation may be about something that blocks touch as well.
bool fits_wide_location(const Operation& op);

// For events of the wide location: what role_of(), effect_after() are for others. Whether a lock can
// be taken after a block that has not run is not known. Then kBlocked: its thread waits and goes on
// if it can.
Role wide_role_of(OpKind kind);
Effect wide_effect_after(const ExecutionGraph& graph, const Node& e, NodeId source);

// Of a block that was just run: bit i says that it has left the i-th mutex of its list locked.
// Throws std::logic_error if it has too many.
std::uint64_t mutexes_left_locked(const Label& block);

// Whether a store of the wide location changes what a round of a loop reads (trace/wait_set.h), and
// whether the thread of the round reads or writes that in another event.
bool changes_what_is_read(const Node& store, const Operation& round);
bool touches_what_is_read(const Label& label, const Operation& round);

}  // namespace mazur
