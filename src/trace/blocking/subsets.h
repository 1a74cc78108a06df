// The general form of blocking (JACM Algorithms 5 and 6): an event disables an operation only after
// some of the events that do not depend on it.
#pragma once

#include "trace/blocking/blocking.h"

namespace mazur {

// Both functions return false if there were more subsets than they tried.

// The disabling races of a kWrLock: with readers, which commute with each other, and with writers.
bool writer_races(const Trace& trace, const Waiting& waiting, Disabled found);

// The disabling races of a kAwait: with writes to what it waits for.
bool await_races(const Trace& trace, const Waiting& waiting, Disabled found);

}  // namespace mazur
