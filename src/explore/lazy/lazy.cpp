#include "explore/lazy/lazy.h"

#include <vector>

#include "explore/at_exit.h"
#include "explore/dpor/reversals.h"
#include "explore/dpor/sleep_set.h"
#include "explore/explored_part.h"
#include "explore/lazy/plans.h"
#include "explore/lazy/stored_states.h"
#include "explore/pick.h"
#include "explore/planned_step.h"
#include "explore/step_table.h"

namespace mazur {
namespace {

// explore(u1, u2) of listing 3.1 is a stack here, one Node for every prefix u1 of the execution:
// the plans to be run after it instead of what was run. split-at-dependency cuts an execution
// before the first event of the dependence that is turned round, so a variation belongs to the node
// there.
//
// The thesis has every call of explore() plan for itself. With global branchings two of them can
// come to the same trace: an event that only one execution shows may be turned round with an event
// of a prefix that others share. So plans for a prefix are kept with the prefix, wherever they come
// from, and are run when everything that starts with the prefix and its next step has been
// explored. That step is covered from then on: a variation that agrees with it is not planned.
class Lazy final : public Explorer {
 public:
  explicit Lazy(const ExplorerOptions& options)
      : picker_(options), storing_(options.stored_states) {}

  MaybeStep choose(const Trace& trace, const Frontier& frontier) override;
  bool plan(const Trace& trace, const Frontier& frontier, End end) override;
  std::size_t keep() const override { return keep_; }
  bool blocked() const override { return blocked_; }
  Needs needs() const override { return {.states = storing_, .probe = true}; }
  Standing standing() const override {
    return {.doubt = variations_.complete() ? nullptr : kSomeOrders};
  }
  void use_probe(Probe* probe) override { variations_.use_probe(probe); }
  double progress() const override;

 private:
  struct Node {
    Plans::Id plans = Plans::kNone;
    std::uint32_t done = 0;  // steps that are covered
    // With stored states: what has followed the prefix; the state after it, if all that can follow
    // is to be stored.
    Operations following;
    StateName state;
  };

  Step planned_step();
  EventIndex vary(const Trace& trace, Reversal& variation);
  void look_up(const Trace& trace, const Frontier& frontier);
  bool is_separate(const Trace& trace, const Operations& following) const;
  void note_following(const Trace& trace, const Frontier& frontier, End end);

  Picker picker_;
  StepTable steps_;
  SleepSets covered_{steps_};  // by prefix: its covered steps, and those of shorter ones that no
                               // event since then contradicts
  Plans plans_{steps_};
  // Every dependence that can be turned round, one at a time. The thesis varies all at once, 2^d
  // systems for d of them. One at a time is enough: the others are turned round in the executions
  // that follow. It is also all that is certain, because the event that comes later now may have
  // another outcome (4.2).
  Reversals variations_;
  std::vector<Node> nodes_;  // by length of the prefix
  Plans::Id plan_ = Plans::kNone;
  std::size_t at_ = 0;  // the plan's step to come
  std::size_t keep_ = 0;
  bool blocked_ = false;
  bool between_ = false;  // two executions
  bool finished_ = false;
  AtExit at_exit_;

  const bool storing_;
  StoredStates stored_;
  std::size_t known_from_ = kNowhere;  // the length of a prefix after which all has been explored
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
};

// execute(): the solution of the plan (lines 22-31), then anything (lines 32-37).
MaybeStep Lazy::choose(const Trace& trace, const Frontier& frontier) {
  blocked_ = between_ = false;
  const std::size_t depth = trace.size();
  if (nodes_.size() > depth) {
    plan_ = plans_.take_first(nodes_.back().plans);
    at_ = 0;
  } else {
    if (depth == 0)
      covered_.push_empty();
    else if (covered_.depth() == depth)
      covered_.push_after(trace[static_cast<EventIndex>(depth - 1)]);
    nodes_.emplace_back();
    if (plan_ != Plans::kNone) nodes_.back().plans = plans_.take_branches(plan_, at_);
  }
  MaybeStep step;
  if (plan_ != Plans::kNone) {
    step = possible(frontier, planned_step());
  } else {
    if (storing_ && known_from_ == kNowhere) look_up(trace, frontier);
    // A plan ends when it contradicts all covered steps, so none is left here; were one, this is
    // where an execution turns out to be redundant.
    step = picker_.pick(trace, frontier, [&](Step s) { return !covered_.contains(depth, s); });
    if (!step) {
      blocked_ = frontier.any_enabled();
      nodes_.pop_back();
      return std::nullopt;
    }
  }
  at_exit_.note(*step, frontier);
  return step;
}

Step Lazy::planned_step() {
  const Step step = steps_[plans_.step(plan_, at_++)].step();
  if (at_ == plans_.size(plan_)) {
    plans_.release(plan_);
    plan_ = Plans::kNone;
  }
  return step;
}

// The loop of explore() (lines 11-14), for every call that has nothing left to do.
bool Lazy::plan(const Trace& trace, const Frontier& frontier, End end) {
  plan_ = Plans::kNone;  // not run to its end: cut by a bound
  between_ = true;
  nodes_.resize(trace.size());
  const Frontier& last = at_exit_.frontier(trace, frontier);
  variations_.for_each(trace, last, keep_,
                       [&](Reversal& variation) { return vary(trace, variation); });
  if (storing_) note_following(trace, last, end);
  while (!nodes_.empty() && nodes_.back().plans == Plans::kNone) nodes_.pop_back();
  finished_ = nodes_.empty();
  if (finished_) return false;
  keep_ = nodes_.size() - 1;
  covered_.truncate(nodes_.size());
  covered_.add(steps_.add(trace[static_cast<EventIndex>(keep_)]));
  ++nodes_.back().done;
  return true;
}

// Plans the variation, unless a step agrees with it after which everything has been explored.
EventIndex Lazy::vary(const Trace& trace, Reversal& variation) {
  if (variation.first() >= known_from_) return kNoEvent;
  Plans::Id& plans = nodes_[variation.first()].plans;
  if (variation.unresolved()) {
    // The plans are a wakeup tree, and need this for the same reason as one.
    const bool covered = covered_.has_weak_initial_of(variation) || plans_.covers(variation, plans);
    if (covered || !variations_.resolve(trace, variation)) return kNoEvent;
  }
  if (!covered_.has_weak_initial_of(variation)) plans_.insert(trace, variation, plans);
  return variation.settled_by();
}

// At a prefix after which nothing is planned or covered: has its state been explored?
void Lazy::look_up(const Trace& trace, const Frontier& frontier) {
  Node& node = nodes_.back();
  const Operations* following = stored_.find(frontier.state());
  if (following == nullptr) {
    node.state = frontier.state();
  } else if (is_separate(trace, *following)) {
    node.following.add(*following);
    known_from_ = trace.size();
  }
}

// Whether all that can follow is independent of all that was done, of the covered steps and of the
// plans. Then every continuation leads to the same plans for shorter prefixes, and one is enough.
bool Lazy::is_separate(const Trace& trace, const Operations& following) const {
  const auto separate = [&](const Event& e) { return !stored_.may_depend(following, e); };
  for (const Event& e : trace.events())
    if (!separate(e)) return false;
  for (std::size_t depth = 0; depth < nodes_.size(); ++depth) {
    for (StepId step : covered_.at(depth))
      if (!separate(steps_[step])) return false;
    if (!plans_.all_steps(nodes_[depth].plans, separate)) return false;
  }
  return true;
}

// Tells the prefixes of the execution what has followed them, and stores the states of those after
// which nothing is left to run.
void Lazy::note_following(const Trace& trace, const Frontier& frontier, End end) {
  if (end != End::kComplete)
    for (Node& node : nodes_) node.state.clear();
  Operations following;
  for (const Pending& p : frontier.threads()) following.add(stored_.number(p));
  bool left = false;
  for (std::size_t depth = nodes_.size(); depth-- > 0;) {
    Node& node = nodes_[depth];
    following.add(stored_.number(trace[static_cast<EventIndex>(depth)]));
    node.following.add(following);
    following = node.following;
    left = left || node.plans != Plans::kNone;
    if (!left && !node.state.empty()) stored_.store(node.state, node.following);
  }
  known_from_ = kNowhere;
}

// Each step after a prefix is taken to lead to as much as the others that are known so far.
double Lazy::progress() const {
  if (finished_) return 1;
  return explored_part(nodes_.size(), [this](std::size_t depth) {
    const Node& node = nodes_[depth];
    const bool under_way = depth != keep_ || !between_;
    return branches(node.done, under_way, plans_.count(node.plans));
  });
}

}  // namespace

std::unique_ptr<Explorer> make_lazy(const ExplorerOptions& options) {
  return std::make_unique<Lazy>(options);
}

}  // namespace mazur
