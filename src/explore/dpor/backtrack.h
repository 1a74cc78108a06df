// The depth-first search that source-DPOR and classic DPOR share: a stack of prefixes, each with a
// set of steps to explore from it and a sleep set.
#pragma once

#include <vector>

#include "explore/at_exit.h"
#include "explore/context/dont_do.h"
#include "explore/context/hidden_plans.h"
#include "explore/dpor/sleep_set.h"
#include "explore/explorer.h"
#include "explore/pick.h"
#include "explore/step_table.h"
#include "explore/tree_estimate.h"

namespace mazur {

class BacktrackSearch : public Explorer {
 public:
  MaybeStep choose(const Trace& trace, const Frontier& frontier) final;
  bool plan(const Trace& trace, const Frontier& frontier, End end) final;
  std::size_t keep() const final { return keep_; }
  bool blocked() const final { return blocked_; }
  double progress() const final;

 protected:
  BacktrackSearch(const ExplorerOptions& options, bool sleep_sets, bool dont_do = false)
      : picker_(options), sleep_sets_(sleep_sets), has_dont_do_(dont_do) {}

  // Sees every state that is new, before a step is chosen there.
  virtual void visit(const Trace&, const Frontier&) {}
  // Adds to the backtrack sets what the events from `keep` on ask for.
  virtual void analyse(const Trace& trace, const Frontier& frontier, std::size_t keep) = 0;

  unsigned restarts() const { return restarts_; }
  // Whether the execution that is analysed ended with a step in dnd(E).
  bool was_cut() const { return cut_; }
  HiddenPlans& hidden_plans() { return hidden_plans_; }
  // backtrack(E') for the prefix of this length. Steps stay in it when they have been explored.
  bool in_backtrack(std::size_t depth, Step step) const;
  void add_to_backtrack(std::size_t depth, Step step);
  std::span<const Step> backtrack(std::size_t depth) const { return nodes_[depth].backtrack; }
  // Whether the step is asleep after the prefix.
  bool asleep(std::size_t depth, Step step) const { return sleep_.contains(depth, step); }
  // Adds events of the trace and then these two to dnd(E') for the prefix of this length.
  void add_dont_do(const Trace& trace, std::size_t depth, std::span<const EventIndex> sequence,
                   std::span<const Event> reversed, DontDo::Swap swap);
  // Takes back those that are there because of this pair, and adds no more of them.
  void ban_dont_do(std::size_t depth, DontDo::Swap swap) { dont_do_.ban(depth, swap); }
  // A sleeping step for which the test holds, or nullptr.
  template <typename Test>
  const Event* find_asleep(std::size_t depth, Test&& test) const {
    for (StepId q : sleep_.at(depth))
      if (test(steps_[q].step())) return &steps_[q];
    return nullptr;
  }

 private:
  struct Node {
    std::vector<Step> backtrack;
    std::uint32_t explored = 0;  // backtrack[0 .. explored) have been, or are being, explored
  };

  void enter(std::size_t depth);
  void add_awake(std::size_t depth, const Frontier& frontier);
  bool in_dont_do(std::size_t depth, Step step) const {
    return has_dont_do_ && dont_do_.contains(depth, step);
  }

  Picker picker_;
  bool sleep_sets_;
  bool has_dont_do_;
  HiddenPlans hidden_plans_;
  bool cut_ = false;  // the last step was in dnd(E)
  StepTable steps_;
  SleepSets sleep_{steps_};
  Observation observation_{false};
  DontDo dont_do_{steps_, observation_};
  std::vector<Node> nodes_;  // by length of the prefix; beyond depth_ only their memory is kept
  std::size_t depth_ = 0;
  std::size_t keep_ = 0;
  bool blocked_ = false;
  bool finished_ = false;
  unsigned restarts_ = 0;
  AtExit at_exit_;
  TreeEstimate estimate_;
};

}  // namespace mazur
