// Whether a round of a loop was in vain, and what ends the waiting of a thread after one. docs/waiting.md
// has the argument.
#pragma once

#include "machine/native/loops/waiting_loop.h"

namespace mazur::native {

// The thread is where it was at its anchor. Decides whether the round was fruitless. If it was, the
// thread waits from now on, or has stopped for good, and true is returned.
bool starts_waiting(Fiber& fiber);
// Stops a thread for good. `woken`: it could go on at once with something else.
bool stops_for_good(Fiber& fiber, bool woken);
// The thread waits no more.
void ends_waiting(Fiber& fiber);

// A new execution: nobody has written or waits.
void reset_waiting();

}  // namespace mazur::native
