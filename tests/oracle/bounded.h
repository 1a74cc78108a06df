// Brute force over the schedules of a model program that keep to a bound.
#pragma once

#include <set>

#include "explore/explorer.h"
#include "oracle.h"

namespace mazur::model {

// What can be reached within a bound.
struct BoundedAnswer {
  bool complete = false;  // false: there was too much to search
  bool cut = false;       // some schedule goes beyond the bound
  std::uint64_t schedules = 0;
  std::set<ClassName> classes;  // of maximal executions
  std::set<Ending> endings;
};

// Runs every schedule with at most `most` preemptions or delays, one after the other: nothing is
// shared between them. Gives up beyond `max_schedules`.
BoundedAnswer brute_force_within(const Program& program, ScheduleBound bound, unsigned most,
                                 std::uint64_t max_schedules);

}  // namespace mazur::model
