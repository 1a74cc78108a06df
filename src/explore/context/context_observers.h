// The explorers observers, context (on optimal) and context-observers are one algorithm with parts
// switched off (observers.h, context.h). This is for their own files only.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "explore/at_exit.h"
#include "explore/context/context.h"
#include "explore/context/context_independence.h"
#include "explore/context/dont_do.h"
#include "explore/context/hidden_plans.h"
#include "explore/context/hidden_races.h"
#include "explore/dpor/reversals.h"
#include "explore/dpor/wakeup_tree.h"
#include "explore/observers/done_set.h"
#include "explore/observers/handled.h"
#include "explore/observers/observability.h"
#include "explore/observers/observers.h"
#include "explore/observers/reversal/observed_reversal.h"
#include "explore/pick.h"
#include "explore/step_table.h"

namespace mazur {

// Which orders count as one although their operations depend.
enum class Independence : std::uint8_t { kObservers, kContext, kBoth };

// Whether those who see one of the two see the other one in its place.
inline bool stores_same_bytes(const Label& a, const Label& b) {
  return a.kind == OpKind::kStore && b.kind == OpKind::kStore && a.object == b.object &&
         a.size == b.size;
}

// Explore(E, WuT, Dnd) is the stack of the recursion, one Node per prefix E of the execution. Line
// numbers without a figure are those of Algorithm 1.
//
// The sequence v that reverses a race is tested for redundancy in full, with everything in E that
// does not happen after e, as in optimal DPOR; what is put into the wakeup tree is only the part of
// it that later explorations need (WakeupTrees::insert). That part begins with ance(e, e', E).e'
// and takes the place of the future initials of section 3.3.
class ContextObservers final : public Explorer {
 public:
  ContextObservers(const ExplorerOptions& options, Independence independence)
      : picker_(options),
        context_(independence != Independence::kObservers),
        published_(context_ && options.published_rules),
        observation_(independence != Independence::kContext, MailOrder::kCounted),
        data_races_(options.data_races) {
    reversal_.set_strict(context_);
  }

  MaybeStep choose(const Trace& trace, const Frontier& frontier) override;
  bool plan(const Trace& trace, const Frontier& frontier, End end) override;
  std::size_t keep() const override { return keep_; }
  bool orders_itself() const override { return !context_ && order_.differs_before(keep_); }
  bool blocked() const override { return blocked_; }
  Needs needs() const override { return {.probe = true}; }
  Standing standing() const override {
    const bool complete = complete_ && settled_.complete();
    return {.doubt = published_ ? kPublished
                     : complete ? nullptr
                                : kSomeOrders,
            .proven = !context_ && !observation_.is_beyond_paper(),
            .restarts = restarts_};
  }
  void use_probe(Probe* probe) override {
    probe_ = probe;
    independence_.use_probe(probe);
  }
  double progress() const override;

 private:
  struct Node {
    WakeupTrees::Node siblings = WakeupTrees::kNone;  // wut(E) beside the branch under exploration
    std::uint32_t done = 0;                           // branches explored before this one
    bool explored = false;                            // some branch was not cut
    bool open = false;     // all branches so far were cut, and others are possible
    bool has_cut = false;  // some branch was cut
    // The branch under exploration (DoneSets::Entry::pruned): orders of equal operations were left
    // out in it; its first step is in a race whose orders are not equal.
    bool pruned = false;
    bool contested = false;
  };

  // For SettledRaces.
  struct Reverser {
    ContextObservers& of;
    const Trace& trace;
    // The race that observers_ are of.
    EventIndex observed_e = kNoEvent;
    EventIndex observed_f = kNoEvent;
    EventIndex race(EventIndex e, EventIndex f);
    EventIndex disabling(const Waiting& w, std::span<const EventIndex> dropped, const Event& step);
    EventIndex choice(EventIndex e, std::uint16_t choice);
  };

  bool in_dont_do(std::size_t depth, Step step) const {
    return context_ && dont_do_.contains(depth, step);
  }
  bool restart();
  bool miscounts(const Trace& trace);
  bool has_blind_races(const Trace& trace) const;
  bool learns_more(const Trace& trace, const Frontier& frontier);
  void detect_races(const Trace& trace, const Frontier& frontier);
  EventIndex reverse_race(const Trace& trace, EventIndex e, EventIndex f);
  EventIndex settled_by() const;
  bool reverse(const Trace& trace);
  bool resolve(const Trace& trace);
  void run_to_resolve(const Trace& trace);
  bool reverse_all_arrangements(const Trace& trace);
  bool add_dont_do(const Trace& trace, EventIndex e, EventIndex f);
  std::optional<ContextIndependence::Swapped> swapped(const Trace& trace, EventIndex e,
                                                      EventIndex f);
  bool same_for_observers(const Trace& trace, EventIndex e) const;
  void ban_hiding(const Trace& trace, const Frontier& frontier);
  bool is_run(const Trace& trace, EventIndex e, EventIndex f, EventIndex x, EventIndex y);
  bool may_be_observed(const Trace& trace, EventIndex x, EventIndex y,
                       std::span<const EventIndex> notdep) const;
  bool reverse_hidden(const Trace& trace, EventIndex x, EventIndex y, const Event& last,
                      std::span<const EventIndex> notdep);
  EventIndex cut_for_others(const Trace& trace, ThreadId thread) const;
  void add_dont_dos(std::size_t depth, const Frontier& frontier);
  bool redundant(const Trace& trace);
  bool is_covered_by_store(const Trace& trace, EventIndex e, EventIndex f) const;
  template <typename Test>
  bool any_explored(EventIndex e, Test&& test) const;
  bool is_clearly_covered(const Trace& trace, EventIndex e, EventIndex f, EventIndex& by);
  bool is_covered_store(const Trace& trace, EventIndex e, EventIndex f);
  bool is_covered_load(const Trace& trace, EventIndex e, EventIndex f) const;
  bool has_no_past_after(const Trace& trace, EventIndex e, EventIndex f) const;
  template <typename ForEach>
  bool starts_with(const Trace& trace, const DoneSets::Entry& entry, std::size_t depth,
                   ForEach&& for_each) const;
  bool is_beside_cut(const DoneSets::Entry& entry, std::size_t depth) const;
  bool has_more(const Trace& trace);
  bool is_covered(const Trace& trace, std::size_t depth, const std::vector<StepId>& path);

  Picker picker_;
  bool context_;
  bool published_;  // by the rules of the paper alone
  StepTable steps_;
  Observation observation_;
  bool data_races_;
  Observability order_{observation_};
  DoneSets done_{steps_, observation_};
  DontDo dont_do_{steps_, observation_};
  WakeupTrees trees_{steps_};
  ObservedReversal reversal_{observation_, order_};
  std::vector<Node> nodes_;                         // by length of the prefix
  WakeupTrees::Node subtree_ = WakeupTrees::kNone;  // WuT' for the node to come (line 18)
  Consistency since_{observation_};
  std::vector<StepId> path_;
  std::vector<EventIndex> observers_;
  HiddenRaces hidden_;
  std::vector<Unfinished> unfinished_;
  SettledRaces settled_;
  HandledReversals handled_{observation_, order_};  // only without context
  // By event e: the last store f that is_covered_store() has looked at; kNoEvent if there is none.
  std::vector<EventIndex> stored_after_;
  Probe* probe_ = nullptr;
  ContextIndependence independence_;
  std::vector<EventIndex> ancestors_;
  std::vector<Step> schedule_;  // scratch
  std::size_t keep_ = 0;
  bool blocked_ = false;
  bool cut_ = false;      // the last step was in dnd(E)
  bool was_cut_ = false;  // that of the execution that is analysed
  HiddenPlans hidden_plans_;
  bool first_ = true;         // execution
  bool blind_races_ = false;  // some execution has had one
  bool complete_ = true;      // no race was left out or guessed (blocking.h)
  bool between_ = false;      // two executions
  bool finished_ = false;
  unsigned restarts_ = 0;
  AtExit at_exit_;
};

}  // namespace mazur
