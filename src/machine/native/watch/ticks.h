// The clock of a session, read by the watchdog's signal. It notices the time limit and Ctrl-C while
// an execution runs or the explorer computes (base/stop.h).
#pragma once

namespace mazur::native {

// From now on, so many seconds; 0: no limit.
void set_time_limit(double seconds);

// Called by the signal handler, several times in a second.
void tick();

}  // namespace mazur::native
