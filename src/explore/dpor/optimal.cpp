#include "explore/dpor/optimal.h"

#include <stdexcept>
#include <vector>

#include "base/stop.h"
#include "explore/at_exit.h"
#include "explore/dpor/sleep_set.h"
#include "explore/dpor/wakeup_tree.h"
#include "explore/pick.h"
#include "explore/step_table.h"
#include "explore/tree_estimate.h"
#include "trace/block.h"
#include "trace/blocking/blocking.h"
#include "trace/reversal.h"

namespace mazur {
namespace {

// Explore(E, Sleep, WuT) is the stack of the recursion, one Node per prefix E of the execution.
//
// Races are analysed at the end of every execution (Alg. 2 lines 2-7), also those that lie in the
// prefix it shares with the one before: v = notdep(e, E).e' contains all later events that do not
// depend on e, so another suffix gives another v, which may pass the test of line 6 where the first
// one did not. Only when the answer for v rests on events of the shared prefix alone is it the same
// (Reversal::settled_by): either a sleeping step is an initial of v there, and then of every v with
// that prefix; or the wakeup tree has a leaf y that consists of such events, and then y is a prefix
// of, hence consistent with, every v with that prefix, which is all that the proof of Theorem 7.4
// asks of insert.
class Optimal final : public Explorer {
 public:
  explicit Optimal(const ExplorerOptions& options) : picker_(options) {}

  MaybeStep choose(const Trace& trace, const Frontier& frontier) override;
  bool plan(const Trace& trace, const Frontier& frontier, End end) override;
  std::size_t keep() const override { return keep_; }
  bool blocked() const override { return blocked_; }
  Needs needs() const override { return {.probe = true}; }
  Standing standing() const override { return {.doubt = complete_ ? nullptr : kSomeOrders}; }
  void use_probe(Probe* probe) override { probe_ = probe; }
  double progress() const override;

 private:
  struct Node {
    WakeupTrees::Node siblings = WakeupTrees::kNone;  // wut(E) beside the branch under exploration
  };

  void analyse_races(const Trace& trace);
  void analyse_event(const Trace& trace, EventIndex f);
  void analyse_pending(const Trace& trace, const Frontier& frontier);
  EventIndex analyse_disabling(const Trace& trace, const Waiting& waiting);
  EventIndex analyse_choices(const Trace& trace, EventIndex e);
  EventIndex reverse();
  bool covered();
  bool resolve(const Trace& trace);

  bool settled(EventIndex by) const { return by != kNoEvent && by < keep_; }

  Picker picker_;
  StepTable steps_;
  SleepSets sleep_{steps_};
  WakeupTrees trees_{steps_};
  std::vector<Node> nodes_;                         // by length of the prefix
  WakeupTrees::Node subtree_ = WakeupTrees::kNone;  // WuT' for the node to come (line 18)
  std::size_t keep_ = 0;
  bool blocked_ = false;
  bool complete_ = true;  // no race was left out (blocking.h)
  bool finished_ = false;
  AtExit at_exit_;
  TreeEstimate estimate_;

  Reversal reversal_;
  Probe* probe_ = nullptr;
  // What settles the analysis of each race, and of each event's disabling and choice races; see
  // Reversal::settled_by().
  std::vector<EventIndex> race_settled_;
  std::vector<EventIndex> disabling_settled_;
  std::vector<EventIndex> choices_settled_;
};

MaybeStep Optimal::choose(const Trace& trace, const Frontier& frontier) {
  blocked_ = false;
  const std::size_t depth = trace.size();
  const bool entering = nodes_.size() == depth;
  if (entering) {
    if (depth == 0)
      sleep_.push_empty();
    else if (sleep_.depth() == depth)
      sleep_.push_after(trace[static_cast<EventIndex>(depth - 1)]);
  }
  if (entering && subtree_ == WakeupTrees::kNone) {
    // Lines 12-13. The sleep set is empty here (Lemma 7.1 (2)); were it not, this would be where an
    // execution turns out to be redundant.
    const auto step =
        picker_.pick(trace, frontier, [&](Step p) { return !sleep_.contains(depth, p); });
    if (!step) {
      blocked_ = frontier.any_enabled();
      return std::nullopt;
    }
    nodes_.emplace_back();
    at_exit_.note(*step, frontier);
    return step;
  }
  if (entering) {
    nodes_.push_back({subtree_});  // line 10
    subtree_ = WakeupTrees::kNone;
  }
  const Step step = steps_[trees_.take_first(nodes_.back().siblings, subtree_)].step();
  const Pending* pending = frontier.find(step.thread);
  if (pending == nullptr || !pending->enabled || step.choice >= pending->ways)
    throw std::logic_error("a planned step is not possible: the program did not behave as before");
  at_exit_.note(step, frontier);
  return step;
}

bool Optimal::plan(const Trace& trace, const Frontier& frontier, End) {
  subtree_ = WakeupTrees::kNone;
  estimate_.executed(trace.size());
  analyse_races(trace);
  analyse_pending(trace, at_exit_.frontier(trace, frontier));
  // Lines 20-21, for every call of Explore that returns now, up to one with more to explore.
  nodes_.resize(trace.size());
  while (!nodes_.empty() && nodes_.back().siblings == WakeupTrees::kNone) nodes_.pop_back();
  finished_ = nodes_.empty();
  if (finished_) return false;
  keep_ = nodes_.size() - 1;
  sleep_.truncate(nodes_.size());
  sleep_.add(steps_.add(trace[static_cast<EventIndex>(keep_)]));
  estimate_.branch_at(keep_);
  return true;
}

void Optimal::analyse_races(const Trace& trace) {
  const auto size = static_cast<EventIndex>(trace.size());
  const auto kept = static_cast<EventIndex>(keep_);
  race_settled_.resize(trace.races_before(kept));
  race_settled_.resize(trace.races_before(size), kNoEvent);
  disabling_settled_.resize(kept);
  disabling_settled_.resize(size, kNoEvent);
  choices_settled_.resize(kept);
  choices_settled_.resize(size, kNoEvent);
  for (EventIndex f = 0; f < size; ++f) analyse_event(trace, f);
}

void Optimal::analyse_event(const Trace& trace, EventIndex f) {
  const auto end = static_cast<EventIndex>(trace.size());
  std::size_t number = trace.races_before(f);
  for (EventIndex e : trace.races(f)) {  // Alg. 2 lines 3-7
    EventIndex& by = race_settled_[number++];
    if (settled(by)) continue;
    stop_if_wished();
    if (!reversible(trace, e, f)) {
      by = f;
      continue;
    }
    reversal_.race(trace, e, f, end);
    if (reversal_.unresolved() && !resolve(trace)) continue;
    by = reverse();
  }
  const Event& event = trace[f];
  if (can_be_disabled(event.label.kind) && !settled(disabling_settled_[f]))
    disabling_settled_[f] = analyse_disabling(trace, waiting(trace, f));
  if (event.ways > 1 && !settled(choices_settled_[f]))
    choices_settled_[f] = analyse_choices(trace, f);
}

// Alg. 4 lines 8-14 and Alg. 6 lines 8-15, for operations that could not run any more.
void Optimal::analyse_pending(const Trace& trace, const Frontier& frontier) {
  for (const Pending& p : frontier.threads())
    if (can_be_disabled(p.op.kind))
      analyse_disabling(trace, waiting(trace, p.thread, p.op, p.holds));
}

EventIndex Optimal::analyse_disabling(const Trace& trace, const Waiting& w) {
  const auto end = static_cast<EventIndex>(trace.size());
  EventIndex by = w.end;
  complete_ &=
      disabling_races(trace, w, [&](std::span<const EventIndex> dropped, const Event& step) {
        reversal_.disabling(trace, dropped, step, w.program_predecessor, end);
        const EventIndex settled = reverse();
        if (by != kNoEvent) by = settled == kNoEvent ? kNoEvent : std::max(by, settled);
      });
  const bool all_found =
      w.op.kind != OpKind::kWrLock && w.op.kind != OpKind::kAwait && w.op.kind != OpKind::kCondWake;
  return all_found ? by : kNoEvent;
}

// The other outcomes of an event are other branches after pre(E, e), like a race with itself.
EventIndex Optimal::analyse_choices(const Trace& trace, EventIndex e) {
  EventIndex by = e;
  for (std::uint16_t c = 0; c < trace[e].ways; ++c) {
    if (c == trace[e].choice) continue;
    reversal_.choice(trace, e, c, static_cast<EventIndex>(trace.size()));
    const EventIndex settled = reverse();
    if (by != kNoEvent) by = settled == kNoEvent ? kNoEvent : std::max(by, settled);
  }
  return by;
}

// Of the last step of v is not known what it touches there (reversal.h). If v is covered whatever
// that is, there is nothing to do: false. Otherwise v is run to find out.
bool Optimal::resolve(const Trace& trace) {
  if (covered()) return false;
  if (probe_ == nullptr) {
    complete_ = false;
    return false;
  }
  mazur::resolve(*probe_, trace, reversal_);
  return true;
}

// Whether a sleeping step is a weak initial of v, or v is in the wakeup tree already.
bool Optimal::covered() {
  const std::size_t depth = reversal_.first();
  for (const StepId p : sleep_.at(depth))
    if (reversal_.match(steps_[p]) != Reversal::Match::kConflict) return true;
  return trees_.covers(reversal_, nodes_[depth].siblings);
}

// Alg. 2 lines 6-7 for the v in reversal_.
EventIndex Optimal::reverse() {
  const std::size_t depth = reversal_.first();
  const std::span<const StepId> sleepers = sleep_.at(depth);
  for (std::size_t i = 0; i < sleepers.size(); ++i) {
    const Event& p = steps_[sleepers[i]];
    const Reversal::Match match = reversal_.match(p);
    if (match == Reversal::Match::kConflict) continue;
    if (match == Reversal::Match::kInitial && reversal_.try_next_choice(p)) {
      i = static_cast<std::size_t>(-1);  // from the start, with the other outcome
      continue;
    }
    reversal_.take(p, match);  // p is in WI(v): explored already
    return reversal_.settled_by();
  }
  trees_.insert(reversal_, nodes_[depth].siblings);
  return reversal_.settled_by();
}

double Optimal::progress() const {
  if (finished_) return 1;
  if (estimate_.executions() == 0) return 0;
  const double total = estimate_.total([this](std::size_t depth) {
    return depth < nodes_.size() ? trees_.count(nodes_[depth].siblings) : 0;
  });
  return static_cast<double>(estimate_.executions()) / total;
}

}  // namespace

std::unique_ptr<Explorer> make_optimal(const ExplorerOptions& options) {
  return std::make_unique<Optimal>(options);
}

}  // namespace mazur
