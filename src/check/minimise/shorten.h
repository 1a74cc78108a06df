// Local improvements of a failing schedule, for when not all schedules can be tried.
#pragma once

#include "check/minimise/candidate.h"

namespace mazur {

// Other orders of the same Mazurkiewicz trace with fewer switches, and without the events that the
// failing step does not depend on. A handful of candidates.
void shorten_within_trace(CandidateRun& run);

// Delta debugging over the schedule as a list of segments, each some steps of one thread: windows
// of segments are left out or sorted by thread, large windows first, until nothing helps or the
// budget is used up.
void shorten(CandidateRun& run);

}  // namespace mazur
