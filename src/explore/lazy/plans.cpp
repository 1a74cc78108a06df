#include "explore/lazy/plans.h"

#include <stdexcept>
#include <utility>

namespace mazur {

bool Plans::insert(const Trace& trace, Reversal& variation, Id& plans) {
  Id* link = &plans;
  while (*link != kNone) {
    Plan& plan = plans_[*link];
    const std::size_t at = agree(plan, variation);
    if (at == plan.steps.size()) return false;
    link = at == 0 ? &plan.next : &branches(plan, at);
  }
  const Id added = make(trace, variation);
  *link = added;
  return true;
}

bool Plans::covers(Reversal& variation, Id plans) const {
  while (plans != kNone) {
    const Plan& plan = plans_[plans];
    const std::size_t at = agree(plan, variation);
    if (at == plan.steps.size()) return true;
    plans = at == 0 ? plan.next : branches(plan, at);
  }
  return false;
}

std::size_t Plans::agree(const Plan& plan, Reversal& variation) const {
  std::size_t at = 0;
  for (; at < plan.steps.size(); ++at) {
    const Event& p = steps_[plan.steps[at]];
    const Reversal::Match match = variation.match(p);
    if (match == Reversal::Match::kConflict) break;
    variation.take(p, match);
  }
  return at;
}

Plans::Id Plans::make(const Trace& trace, const Reversal& v) {
  variation(trace, v, system_);
  if (!system_.solve(solution_))
    throw std::logic_error("a planned execution contradicts itself: dependences were not kept");
  Id id = static_cast<Id>(plans_.size());
  if (free_.empty()) {
    plans_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  Plan& plan = plans_[id];
  for (TraceConstraintSystem::Variable x : solution_)
    plan.steps.push_back(steps_.add(system_.label(x)));
  planned_steps_ += plan.steps.size();
  return id;
}

Plans::Id Plans::take_first(Id& plans) {
  const Id id = plans;
  plans = plans_[id].next;
  plans_[id].next = kNone;
  return id;
}

Plans::Id& Plans::branches(Plan& plan, std::size_t at) {
  for (Branch& b : plan.branches)
    if (b.at == at) return b.plans;
  return plan.branches.emplace_back(Branch{static_cast<std::uint32_t>(at), kNone}).plans;
}

Plans::Id Plans::branches(const Plan& plan, std::size_t at) const {
  for (const Branch& b : plan.branches)
    if (b.at == at) return b.plans;
  return kNone;
}

Plans::Id Plans::take_branches(Id plan, std::size_t at) {
  for (Branch& b : plans_[plan].branches)
    if (b.at == at) return std::exchange(b.plans, kNone);
  return kNone;
}

void Plans::release(Id id) {
  Plan& plan = plans_[id];
  planned_steps_ -= plan.steps.size();
  plan.steps.clear();
  plan.branches.clear();
  free_.push_back(id);
}

std::size_t Plans::count(Id plans) const {
  std::size_t n = 0;
  for (; plans != kNone; plans = plans_[plans].next) ++n;
  return n;
}

}  // namespace mazur
