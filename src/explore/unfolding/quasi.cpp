#include "explore/unfolding/quasi.h"

#include <algorithm>
#include <vector>

#include "explore/at_exit.h"
#include "explore/pick.h"
#include "explore/planned_step.h"
#include "explore/tree_estimate.h"
#include "explore/unfolding/alternatives.h"
#include "explore/unfolding/alternatives_left.h"
#include "explore/unfolding/contexts.h"
#include "explore/unfolding/disabled.h"
#include "explore/unfolding/extensions.h"
#include "explore/unfolding/forgetting.h"
#include "explore/unfolding/statistics.h"

namespace mazur {
namespace {

using unfolding::EventId;
using Timer = unfolding::Statistics::Timer;
using Part = unfolding::Statistics::Part;

// Algorithm 1, its recursion as a stack along the execution: the call Explore(C, D, A) that adds
// the event at position i has C = the events before i. D only grows along the execution, so it is
// kept as what each call adds to it. A is followed from where it was found, and empty after that.
class Quasi final : public Explorer {
 public:
  explicit Quasi(const ExplorerOptions& options)
      : picker_(options),
        k_(options.quasi_k),
        bound_(options.schedule_bound),
        most_(options.most),
        statistics_(options.statistics) {
    configuration_.measure(statistics_.distances());
  }

  MaybeStep choose(const Trace& trace, const Frontier& frontier) override;
  bool plan(const Trace& trace, const Frontier& frontier, End end) override;
  std::size_t keep() const override { return keep_; }
  bool blocked() const override { return blocked_; }
  Needs needs() const override { return {.probe = true}; }
  Standing standing() const override {
    return {.doubt = extensions_.complete() ? nullptr : kSomeOrders,
            .reached = cut_ ? bound_ : ScheduleBound::kNone};
  }
  void use_probe(Probe* probe) override { extensions_.use_probe(probe); }
  double progress() const override;
  std::string statistics() const override { return statistics_.text(structure_, alternatives_); }

 private:
  void absorb(const Trace& trace);
  bool is_disabled(Step step) const;

  Picker picker_;
  std::size_t k_;
  ScheduleBound bound_;
  std::uint32_t most_;  // of what bound_ says
  bool cut_ = false;    // an alternative was left out because of it
  unfolding::EventStructure structure_;
  unfolding::Configuration configuration_{structure_};
  unfolding::Extensions extensions_{structure_, configuration_};
  unfolding::Alternatives alternatives_{structure_, configuration_};
  unfolding::Disabled disabled_;
  std::vector<EventId> add_;  // A, causes first
  std::size_t added_ = 0;     // how many of it
  std::size_t keep_ = 0;
  bool blocked_ = false;
  bool finished_ = false;
  AtExit at_exit_;
  TreeEstimate estimate_;
  mutable double estimated_ = 1;     // how many executions there will be
  mutable double estimated_at_ = 0;  // after how many; it takes its time
  unfolding::Statistics statistics_;
  unfolding::Forgetting forgetting_{structure_,    configuration_, extensions_,
                                    alternatives_, disabled_,      statistics_};
};

// Takes the event that has been executed since the last call into U and C.
void Quasi::absorb(const Trace& trace) {
  if (disabled_.depth() == 0) disabled_.push(configuration_);
  if (configuration_.size() == trace.size()) return;
  if (trace.events().back().label.kind == OpKind::kExit) return;  // it depends on nothing
  const Timer timer(statistics_, Part::kAdding);
  const EventId e = extensions_.executed(trace);
  configuration_.push(e);
  disabled_.push(configuration_);
  // Where the outcome of a step was not known before, it can be another event than was planned,
  // and what was to follow may not be possible. Any other way on is as good.
  if (added_ != 0 && added_ <= add_.size() && add_[added_ - 1] != e) add_.clear();
}

bool Quasi::is_disabled(Step step) const {
  for (EventId d : disabled_.at(configuration_.size()))
    if (structure_[d].thread == step.thread && structure_[d].choice == step.choice) return true;
  return false;
}

MaybeStep Quasi::choose(const Trace& trace, const Frontier& frontier) {
  blocked_ = false;
  absorb(trace);
  if (added_ < add_.size()) {  // Alg. 1 line 9
    const unfolding::Node& next = structure_[add_[added_++]];
    const Step step = possible(frontier, {next.thread, next.choice});
    at_exit_.note(step, frontier);
    return step;
  }
  add_.clear();
  added_ = 0;
  // Line 7, or line 5: en(C) is included in D.
  const auto step = picker_.pick(trace, frontier, [&](Step p) { return !is_disabled(p); });
  if (step)
    at_exit_.note(*step, frontier);
  else
    blocked_ = frontier.any_enabled();
  return step;
}

bool Quasi::plan(const Trace& trace, const Frontier& frontier, End) {
  absorb(trace);
  {
    const Timer timer(statistics_, Part::kAdding);
    extensions_.ended(trace, at_exit_.frontier(trace, frontier));
  }
  add_.clear();
  added_ = 0;
  estimate_.executed(configuration_.size());
  const Timer timer(statistics_, Part::kSearching);
  // Lines 11-12, for every call of Explore that has come back from line 10.
  for (std::size_t position = configuration_.size(); position-- > 0;) {
    const EventId e = configuration_.events()[position];
    configuration_.truncate(position);
    alternatives_.truncate(position);
    disabled_.truncate(position + 1);
    disabled_.add(e);
    if (!alternatives_.find(disabled_.at(position), k_)) continue;
    add_.assign(alternatives_.alternative().begin(), alternatives_.alternative().end());
    if (bound_ == ScheduleBound::kContexts &&
        unfolding::switches_after(structure_, configuration_.events(), add_) > most_) {
      cut_ = true;
      continue;
    }
    estimate_.branch_at(position);
    extensions_.truncate(position);
    keep_ = position;
    forgetting_.forget_if_many(add_);  // line 13
    return true;
  }
  finished_ = true;
  return false;
}

double Quasi::progress() const {
  if (finished_) return 1;
  if (estimate_.executions() == 0) return 0;
  const auto executions = static_cast<double>(estimate_.executions());
  if (executions > 1.25 * estimated_at_) {
    estimated_at_ = executions;
    const std::vector<std::size_t> left =
        unfolding::guess_alternatives_left(structure_, configuration_, disabled_, alternatives_);
    estimated_ =
        estimate_.total([&](std::size_t depth) { return depth < left.size() ? left[depth] : 0; });
  }
  return std::min(executions / estimated_, 1.0);
}

}  // namespace

std::unique_ptr<Explorer> make_quasi(const ExplorerOptions& options) {
  return std::make_unique<Quasi>(options);
}

}  // namespace mazur
