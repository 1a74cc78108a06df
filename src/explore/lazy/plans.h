// Planned executions: solved trace constraint systems that are to be run after a prefix.
//
// A plan is a sequence of steps, a solution of its system. Other plans leave it at some step,
// because their systems contradict its next one: they are kept there, as what remains of them. So
// plans that agree at first share what they agree on, and a new one is compared with the others
// only up to the first contradiction.
//
// Invariant: of the plans at one place (those that leave a plan at the same step, the plan itself
// before them; or all that are to be run after a prefix), the first step of an earlier one
// contradicts every later one. So no execution complies with two plans. With the steps as nodes
// this is a wakeup tree (JACM Definition 6.1).
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "explore/lazy/constraint_system.h"
#include "explore/step_table.h"

namespace mazur {

class Plans {
 public:
  using Id = std::uint32_t;  // of a plan or, followed by the later ones, of a list of plans
  static constexpr Id kNone = 0xffffffff;

  explicit Plans(StepTable& steps) : steps_(steps) {}

  // Plans the variation after a prefix that has these plans, unless one of them agrees with all of
  // it: whatever that one leads to will be varied again. The variation is used up. Returns whether
  // a plan was added.
  bool insert(const Trace& trace, Reversal& variation, Id& plans);

  // Whether one of the plans agrees with all of the variation. It is used up.
  bool covers(Reversal& variation, Id plans) const;

  // Removes the first plan of a list.
  Id take_first(Id& plans);
  std::size_t size(Id plan) const { return plans_[plan].steps.size(); }
  StepId step(Id plan, std::size_t at) const { return plans_[plan].steps[at]; }
  // The plans that leave this one at a step; the plan forgets them.
  Id take_branches(Id plan, std::size_t at);
  // A plan whose branches have all been taken.
  void release(Id plan);

  std::size_t count(Id plans) const;
  // Calls visit(event) for all steps of a list of plans and of those that leave them, until it
  // returns false. Returns whether it never did.
  template <typename Visit>
  bool all_steps(Id plans, Visit&& visit) const;
  // Steps in all plans that are waiting.
  std::size_t planned_steps() const { return planned_steps_; }

 private:
  struct Branch {
    std::uint32_t at;
    Id plans;
  };
  struct Plan {
    std::vector<StepId> steps;
    std::vector<Branch> branches;
    Id next = kNone;
  };

  Id& branches(Plan& plan, std::size_t at);
  Id branches(const Plan& plan, std::size_t at) const;
  // How many steps of the plan agree with the variation, up to the first that contradicts it.
  std::size_t agree(const Plan& plan, Reversal& variation) const;
  Id make(const Trace& trace, const Reversal& variation);

  StepTable& steps_;
  std::deque<Plan> plans_;  // never move
  std::vector<Id> free_;
  std::size_t planned_steps_ = 0;

  TraceConstraintSystem system_;
  std::vector<TraceConstraintSystem::Variable> solution_;
};

template <typename Visit>
bool Plans::all_steps(Id plans, Visit&& visit) const {
  for (; plans != kNone; plans = plans_[plans].next) {
    for (StepId step : plans_[plans].steps)
      if (!visit(steps_[step])) return false;
    for (const Branch& b : plans_[plans].branches)
      if (!all_steps(b.plans, visit)) return false;
  }
  return true;
}

}  // namespace mazur
