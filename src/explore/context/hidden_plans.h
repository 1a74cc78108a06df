// Steps that are planned because of hidden races (explore/context/hidden_races.h) are possible only
// if the program goes on as its labels say. It does not if it has loops that wait: they count
// stores, also those that change nothing. When such a step turns out not to be possible, the
// exploration has gone astray: it starts again without such plans.
#pragma once

#include <utility>

#include "explore/planned_step.h"
#include "trace/trace.h"
#include "trace/wait_set.h"

namespace mazur {

class HiddenPlans {
 public:
  // Whether such a step may be planned. The answer yes is taken for a plan.
  bool may_plan() { return planned_ |= on_, on_; }
  // Stops planning if one of these waits: the events from `from` on, and what was to follow.
  void stop_if_waiting(const Trace& trace, std::size_t from, const Frontier& frontier) {
    for (auto e = static_cast<EventIndex>(from); on_ && e < trace.size(); ++e)
      on_ = !is_waiting_round(trace[e].label);
    for (const Pending& p : frontier.threads()) on_ = on_ && !is_waiting_round(p.op);
  }

  // Whether a planned step cannot be taken. Throws if that cannot be because of such plans.
  bool leads_astray(const Frontier& frontier, Step step) {
    if (is_possible(frontier, step)) return false;
    if (!planned_) planned_step_is_not_possible();
    on_ = planned_ = false;
    return astray_ = true;
  }
  // Whether that has happened since the last call.
  bool went_astray() { return std::exchange(astray_, false); }

 private:
  bool on_ = true;
  bool planned_ = false;
  bool astray_ = false;
};

}  // namespace mazur
