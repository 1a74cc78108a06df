// Which races are reversed, and whether that is redundant.
#include "explore/context/context_observers.h"
#include "trace/atomic_block/block.h"
#include "trace/dependence.h"

namespace mazur {

// Fig. 5, and the races with blocked operations as in optimal DPOR. An event whose order has
// changed settles nothing.
void ContextObservers::detect_races(const Trace& trace, const Frontier& frontier) {
  stored_after_.assign(trace.size(), kNoEvent);
  handled_.follow(trace, keep_);
  settled_.for_each(trace, order_, frontier, order_.changed(), Reverser{*this, trace});
  if (context_ && !published_) ban_hiding(trace, frontier);
}

// The race e <~ f: line 2.
EventIndex ContextObservers::Reverser::race(EventIndex e, EventIndex f) {
  EventIndex by = kNoEvent;
  if (of.is_clearly_covered(trace, e, f, by)) return by;
  if (!reversible(trace, e, f, of.order_.clocks())) return f;
  const bool known = f == observed_f && stores_same_bytes(trace[e].label, trace[observed_e].label);
  if (!known) of.order_.observers(e, f, of.observers_);
  observed_e = e;
  observed_f = f;
  return of.reverse_race(trace, e, f);
}

EventIndex ContextObservers::reverse_race(const Trace& trace, EventIndex e, EventIndex f) {
  if (is_covered_by_store(trace, e, f)) return observers_[0];
  if (!context_ && !observers_.empty() && handled_.contains_or_add(trace, e, observers_))
    return kNoEvent;
  reversal_.leave_out(cut_for_others(trace, trace.thread(f)));
  complete_ = complete_ && !is_guess(trace, e, f);
  if (observers_.empty())
    reversal_.race(trace, e, f);  // line 8
  else
    reversal_.observed_race(trace, e, f, observers_);  // lines 5-6
  const bool contested = nodes_[e].contested;
  if (reverse(trace) && context_ && add_dont_do(trace, e, f)) nodes_[e].contested = contested;
  return settled_by();
}

// With context nothing is settled: the don't-do sets that an answer rests on change.
EventIndex ContextObservers::settled_by() const {
  return context_ ? kNoEvent : reversal_.settled_by();
}

EventIndex ContextObservers::Reverser::disabling(const Waiting& w,
                                                 std::span<const EventIndex> dropped,
                                                 const Event& step) {
  const EventIndex cut = of.cut_for_others(trace, w.thread);
  const bool needed = cut != kNoEvent && may_depend(trace[cut].label, w.op);
  of.reversal_.leave_out(needed ? kNoEvent : cut);
  of.reversal_.disabling(trace, dropped, step, w.program_predecessor);
  of.reverse(trace);
  return of.settled_by();
}

EventIndex ContextObservers::Reverser::choice(EventIndex e, std::uint16_t choice) {
  of.reversal_.leave_out(of.cut_for_others(trace, trace.thread(e)));
  of.reversal_.choice(trace, e, choice);
  of.reverse(trace);
  return of.settled_by();
}

// A step that was cut was run only for its own races: what others do without it is not covered by
// executions that have it.
EventIndex ContextObservers::cut_for_others(const Trace& trace, ThreadId thread) const {
  const auto last = static_cast<EventIndex>(trace.size()) - 1;
  return was_cut_ && trace.thread(last) != thread ? last : kNoEvent;
}

// Fig. 5 lines 9-10. Returns whether v was not redundant.
bool ContextObservers::reverse(const Trace& trace) {
  if (!reversal_.possible()) return false;
  nodes_[reversal_.first()].contested = true;
  if (is_unknown_block(reversal_.last().label) && reversal_.has_unordered_stores() &&
      probe_ != nullptr)
    return reverse_all_arrangements(trace);
  if (redundant(trace)) return false;
  if (is_unknown_block(reversal_.last().label) && (!resolve(trace) || redundant(trace)))
    return false;
  trees_.insert(reversal_, nodes_[reversal_.first()].siblings);
  return true;
}

// v ends in a block, and it is not known what that touches there. It may read what was not read in
// E, and see the order of stores that have none in E: then each store that can be the last one is a
// v of its own. They cannot be left to the race that the block observes then: its reversal can be
// taken to be covered by branches that have left it to this one.
bool ContextObservers::reverse_all_arrangements(const Trace& trace) {
  std::vector<ObservedReversal::Arrangement> all{reversal_.arrangement()};
  bool any = false;
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (n > 0) reversal_.rearrange(all[n]);
    const bool covered = redundant(trace);
    run_to_resolve(trace);
    reversal_.add_other_arrangements(all);
    if (covered || redundant(trace)) continue;
    trees_.insert(reversal_, nodes_[reversal_.first()].siblings);
    any = true;
  }
  return any;
}

// v ends in such a block, and there are no stores without an order: if it is not covered whatever
// it touches, v is run to find out.
bool ContextObservers::resolve(const Trace& trace) {
  if (trees_.covers(reversal_, nodes_[reversal_.first()].siblings)) return false;
  if (probe_ == nullptr) {
    complete_ = false;
    return false;
  }
  run_to_resolve(trace);
  return true;
}

void ContextObservers::run_to_resolve(const Trace& trace) {
  schedule_.clear();
  for (EventIndex i = 0; i < reversal_.first(); ++i) schedule_.push_back(trace[i].step());
  reversal_.restart();
  reversal_.for_each([&](const Event& event) { schedule_.push_back(event.step()); });
  reversal_.resolve(last_event(*probe_, schedule_).label);
}

}  // namespace mazur
