#include "explore/dpor/optimal.h"

#include <utility>
#include <vector>

#include "explore/at_exit.h"
#include "explore/dpor/reversals.h"
#include "explore/dpor/sleep_set.h"
#include "explore/dpor/wakeup_tree.h"
#include "explore/pick.h"
#include "explore/planned_step.h"
#include "explore/step_table.h"
#include "explore/tree_estimate.h"

namespace mazur {
namespace {

// Explore(E, Sleep, WuT) of Algorithm 2 is the stack of the recursion, one Node per prefix E of the
// execution. Races are reversed at the end of every execution (lines 2-7), also those that lie in
// the prefix it shares with the one before, unless they are settled (reversals.h). An answer is:
// either a sleeping step is an initial of v in the shared prefix, and then of every v with that
// prefix; or the wakeup tree has a leaf y that consists of events of the shared prefix, and then y
// is a prefix of, hence consistent with, every v with that prefix, which is all that the proof of
// Theorem 7.4 asks of insert.
class Optimal final : public Explorer {
 public:
  explicit Optimal(const ExplorerOptions& options) : picker_(options) {}

  MaybeStep choose(const Trace& trace, const Frontier& frontier) override;
  bool plan(const Trace& trace, const Frontier& frontier, End end) override;
  std::size_t keep() const override { return keep_; }
  bool blocked() const override { return blocked_; }
  Needs needs() const override { return {.probe = true, .looks = true}; }
  Standing standing() const override {
    return {.doubt = reversals_.complete() ? nullptr : kSomeOrders};
  }
  void use_probe(Probe* probe) override { reversals_.use_probe(probe); }
  double progress() const override;

 private:
  using Tree = WakeupTrees::Node;
  static constexpr Tree kEmpty = WakeupTrees::kNone;
  struct Node {
    Tree siblings = kEmpty;  // wut(E) beside the branch under exploration
  };

  MaybeStep choose_any(const Trace& trace, const Frontier& frontier);
  EventIndex reverse(const Trace& trace, Reversal& v);
  bool is_covered(Reversal& v);

  Picker picker_;
  StepTable steps_;
  SleepSets sleep_{steps_};
  WakeupTrees trees_{steps_};
  Reversals reversals_;
  std::vector<Node> nodes_;  // by length of the prefix
  Tree subtree_ = kEmpty;    // WuT' for the node to come (line 18)
  std::size_t keep_ = 0;
  bool blocked_ = false;
  AtExit at_exit_;
  TreeEstimate estimate_;
};

MaybeStep Optimal::choose(const Trace& trace, const Frontier& frontier) {
  const std::size_t depth = trace.size();
  if (nodes_.size() == depth) {  // a new call of Explore
    if (depth == 0)
      sleep_.push_empty();
    else if (sleep_.depth() == depth)
      sleep_.push_after(trace[static_cast<EventIndex>(depth - 1)]);  // line 17
    if (subtree_ == kEmpty) return choose_any(trace, frontier);
    nodes_.push_back({std::exchange(subtree_, kEmpty)});  // line 10
  }
  // Lines 15-16 and 18: p is the first branch of wut(E), WuT' what is below it.
  const Step p = steps_[trees_.take_first(nodes_.back().siblings, subtree_)].step();
  return possible(frontier, p);
}

// Lines 12-13. The sleep set is empty here (Lemma 7.1 (2)); were it not, this would be where an
// execution turns out to be redundant.
MaybeStep Optimal::choose_any(const Trace& trace, const Frontier& frontier) {
  const auto p =
      picker_.pick(trace, frontier, [&](Step q) { return !sleep_.contains(trace.size(), q); });
  if (p) {
    nodes_.emplace_back();
    at_exit_.note(*p, frontier);
  } else {
    blocked_ = frontier.any_enabled();
  }
  return p;
}

bool Optimal::plan(const Trace& trace, const Frontier& frontier, End) {
  estimate_.executed(trace.size());
  // Lines 2-5; with blocking, Alg. 4 lines 8-14 and Alg. 6 lines 8-15.
  reversals_.for_each(trace, at_exit_.frontier(trace, frontier), keep_,
                      [&](Reversal& v) { return reverse(trace, v); });
  // Lines 20-21, for every call of Explore that returns now, up to one with more to explore.
  nodes_.resize(trace.size());
  while (!nodes_.empty() && nodes_.back().siblings == kEmpty) nodes_.pop_back();
  if (nodes_.empty()) return false;
  keep_ = nodes_.size() - 1;
  sleep_.truncate(nodes_.size());
  sleep_.add(steps_.add(trace[static_cast<EventIndex>(keep_)]));
  estimate_.branch_at(keep_);
  return true;
}

// Lines 6-7. Returns what settles the answer.
EventIndex Optimal::reverse(const Trace& trace, Reversal& v) {
  if (v.unresolved() && (is_covered(v) || !reversals_.resolve(trace, v))) return kNoEvent;
  if (!sleep_.has_weak_initial_of(v)) trees_.insert(v, nodes_[v.first()].siblings);
  return v.settled_by();
}

// Whether v is covered whatever its last step touches.
bool Optimal::is_covered(Reversal& v) {
  return sleep_.has_weak_initial_of(v) || trees_.covers(v, nodes_[v.first()].siblings);
}

double Optimal::progress() const {
  return estimate_.progress([this](std::size_t depth) {
    return depth < nodes_.size() ? trees_.count(nodes_[depth].siblings) : 0;
  });
}

}  // namespace

std::unique_ptr<Explorer> make_optimal(const ExplorerOptions& options) {
  return std::make_unique<Optimal>(options);
}

}  // namespace mazur
