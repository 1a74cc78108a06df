// Makes a failing schedule easier to read: fewest old values, then fewest preemptions, then fewest
// steps, with the same failure at the same place (failure_place.h).
//
// First all schedules are searched in the order of their preemptions (Musuvathi and Qadeer's
// iterative context bounding), to which old values are added under a weak memory model. Prefixes of
// the same Mazurkiewicz trace with the same running thread are searched once: they lead to the same
// state. Under a weak memory model so do prefixes with the same execution graph. If that ends within
// its part of the budget, no schedule is better than the result. Otherwise the schedule is improved
// locally (shorten.h), and the result is only the best that was met.
//
// Every candidate is run on the machine, so a result always fails.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/minimise/candidate.h"

namespace mazur {

struct Minimised {
  std::vector<Event> events;
  Failure failure;
  ScheduleCost before, after;
  bool minimal = false;          // no failing schedule costs less
  std::uint64_t executions = 0;  // that it took
};

// `events` ends with the failing step, or at the standstill. If they do not fail again they are
// returned as they are, with `executions` at most 1. The machine, whose memory model is `model`, is
// left somewhere.
Minimised minimise(Machine& machine, std::span<const Event> events, const Failure& failure,
                   std::uint64_t place, const MinimiseBudget& budget,
                   MemoryModel model = MemoryModel::kSc);

}  // namespace mazur
