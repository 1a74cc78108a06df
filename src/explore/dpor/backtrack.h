// The depth-first search that source-DPOR and classic DPOR share: a stack of prefixes, each with a
// set of steps to explore from it and a sleep set.
#pragma once

#include <span>
#include <vector>

#include "explore/at_exit.h"
#include "explore/dpor/sleep_set.h"
#include "explore/explorer.h"
#include "explore/pick.h"
#include "explore/step_table.h"
#include "explore/tree_estimate.h"

namespace mazur {

class BacktrackSearch : public Explorer {
 public:
  MaybeStep choose(const Trace& trace, const Frontier& frontier) override;
  bool plan(const Trace& trace, const Frontier& frontier, End end) override;
  std::size_t keep() const final { return keep_; }
  bool blocked() const final { return blocked_; }
  double progress() const final;

  // backtrack(E') for the prefix of this length. Steps stay in it when they have been explored.
  bool in_backtrack(std::size_t depth, Step step) const;
  void add_to_backtrack(std::size_t depth, Step step);
  std::span<const Step> backtrack(std::size_t depth) const { return nodes_[depth].backtrack; }
  // Whether the step is asleep after the prefix.
  bool asleep(std::size_t depth, Step step) const { return sleep_.contains(depth, step); }
  // A sleeping step for which the test holds, or nullptr.
  template <typename Test>
  const Event* find_asleep(std::size_t depth, Test&& test) const {
    for (StepId q : sleep_.at(depth))
      if (test(steps_[q].step())) return &steps_[q];
    return nullptr;
  }

 protected:
  BacktrackSearch(const ExplorerOptions& options, bool sleep_sets)
      : picker_(options), sleep_sets_(sleep_sets) {}

  // Adds to the backtrack sets what the events from `keep` on ask for.
  virtual void analyse(const Trace& trace, const Frontier& frontier, std::size_t keep) = 0;

  // The parts of choose(), for a search that leaves out more.
  //
  // Whether the trace has come to a prefix that is new.
  bool is_new(const Trace& trace) const { return trace.size() == depth_; }
  // There: its sleep set.
  void push_sleep(const Trace& trace);
  // There: a step that is awake and may be taken, if there is one.
  template <typename May>
  MaybeStep pick_awake(const Trace& trace, const Frontier& frontier, May&& may) {
    return picker_.pick(trace, frontier,
                        [&](Step p) { return !asleep(trace.size(), p) && may(p); });
  }
  // There: this step is explored first.
  Step begin(const Trace& trace, const Frontier& frontier, Step step);
  // Elsewhere: the next step of the backtrack set. plan() has found that there is one.
  Step next(const Trace& trace);
  // What blocked() tells.
  void set_blocked(bool blocked) { blocked_ = blocked; }

  StepTable& steps() { return steps_; }
  AtExit& at_exit() { return at_exit_; }
  // Forgets all that was explored.
  void start_over();

 private:
  struct Node {
    std::vector<Step> backtrack;
    std::uint32_t explored = 0;  // backtrack[0 .. explored) have been, or are being, explored
  };

  Picker picker_;
  bool sleep_sets_;
  StepTable steps_;
  SleepSets sleep_{steps_};
  std::vector<Node> nodes_;  // by length of the prefix; beyond depth_ only their memory is kept
  std::size_t depth_ = 0;
  std::size_t keep_ = 0;
  bool blocked_ = false;
  AtExit at_exit_;
  TreeEstimate estimate_;
};

}  // namespace mazur
