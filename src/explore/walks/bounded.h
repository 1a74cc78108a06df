// Every schedule within a bound on preemptions or delays, by depth-first search.
//
// Partial order reduction as in the other explorers would lose schedules: an execution that keeps
// to the bound may be equivalent only to explored ones that do not. Here nothing is left out
// because of what comes later. A prefix is given up only if an equivalent one has been explored
// that ended with the same thread and cost no more (or, for preemptions, that cost less by one,
// with any last thread): both lead to the same state, and whatever can follow the one within the
// bound can follow the other. So every state, failure and deadlock that some schedule reaches
// within the bound is reached.
//
// "bounded": as said. With an equivalent prefix given up, an execution counts as blocked. Without a
// bound, every class of prefixes is explored once. "naive" with a bound: nothing is given up, every
// schedule within the bound is run exactly once.
#pragma once

#include "explore/explorer.h"

namespace mazur {

enum class Repeats : std::uint8_t { kGivenUp, kRun };

std::unique_ptr<Explorer> make_bounded(const ExplorerOptions& options, Repeats repeats);

}  // namespace mazur
