// What an event knows of, in traces that keep no dependence order: those of execution graphs, which
// under weak memory models are run in an order that says little about memory, and of `naive`.
//
// An event knows the one before it in its thread, the creation of its thread, the end of a thread
// that it has joined, the store that it reads, and what was done before to a lock or semaphore that
// it takes, gives back or tries; and what these know. Of a lock also the tries that have failed
// before it: who gives it back comes after them. So what an event knows is the same in every order
// in which its execution can be run.
#pragma once

#include <vector>

#include "trace/trace.h"

namespace mazur {

// The events that e knows, e included, in their order.
std::vector<EventIndex> read_past(const Trace& trace, EventIndex e);

}  // namespace mazur
