// Whether what was explored covers the sequence v that reverses a race.
#include <algorithm>
#include <utility>

#include "explore/context/context_observers.h"
#include "trace/clock_row.h"
#include "trace/dependence.h"
#include "trace/wait_set.h"

namespace mazur {

// Whether test(p, has_run) holds for a step p that was explored after pre(E, e) or will be, with
// all that can follow; or that was explored before, and may have run since (DoneSets).
template <typename Test>
bool ContextObservers::any_explored(EventIndex e, Test&& test) const {
  for (const DoneSets::Entry& entry : done_.at(e))
    if (test(steps_[entry.step], !entry.asleep)) return true;
  for (auto n = nodes_[e].siblings; n != WakeupTrees::kNone; n = trees_.next(n))
    if (trees_.first_child(n) == WakeupTrees::kNone && test(steps_[trees_.step(n)], false))
      return true;
  return false;
}

// Whether v of the race e <~ f, which needs no observer, is clearly covered: known without writing
// v out. `by`: what settles it. Only where f has nothing in its past from e on but e.
bool ContextObservers::is_clearly_covered(const Trace& trace, EventIndex e, EventIndex f,
                                          EventIndex& by) {
  if (context_ || order_.is_dependence()) return false;
  const Label& a = trace[e].label;
  const Label& b = trace[f].label;
  const bool stores = b.kind == OpKind::kStore;
  const bool covered =
      b.size <= 8 && ((stores && !writes_memory(a) && is_covered_store(trace, e, f)) ||
                      (b.kind == OpKind::kLoad && waits_for(b) == 0 && a.kind == OpKind::kStore &&
                       is_covered_load(trace, e, f)));
  if (covered) by = stores ? kNoEvent : f;
  return covered;
}

// f is a blind store after a read. What else sees its bytes from e on happens before f or sees what
// comes after e: nothing in notdep(e, E) does. So v can start with any blind store of these bytes,
// also if that comes after v, or has run before it: v is covered where one is explored after
// pre(E, e). And what covers v covers it with another one of these stores in the place of f.
bool ContextObservers::is_covered_store(const Trace& trace, EventIndex e, EventIndex f) {
  const Label& store = trace[f].label;
  if (!observation_.writes_blindly(store) || !has_no_past_after(trace, e, f)) return false;
  const EventIndex other = std::exchange(stored_after_[e], f);
  return (other != kNoEvent && stores_same_bytes(trace[other].label, store)) ||
         any_explored(e, [&](const Event& p, bool) { return stores_same_bytes(p.label, store); });
}

// f is a load after a store. What else stores its bytes from e on happens before f or after it:
// nothing in notdep(e, E) does. So v can start with f, and is covered where that is explored after
// pre(E, e).
bool ContextObservers::is_covered_load(const Trace& trace, EventIndex e, EventIndex f) const {
  return has_no_past_after(trace, e, f) && any_explored(e, [&](const Event& p, bool has_run) {
           return !has_run && p.thread == trace.thread(f) && p.label.kind == OpKind::kLoad;
         });
}

// Whether nothing from e on happens before f, except for e, which does.
bool ContextObservers::has_no_past_after(const Trace& trace, EventIndex e, EventIndex f) const {
  const std::uint32_t* clock = order_.clocks() + f * trace.stride();
  const std::uint32_t* before = trace.counts_before(e).data();
  const auto one_more = [&](ThreadId t) { return clock[t] == before[t] + 1; };
  return one_more(trace.thread(e)) && one_more(trace.thread(f)) &&
         count_more(clock, before, trace.stride()) == 2;
}

// The same for a race of two stores that is observed. What sees their bytes between e and f would
// happen after e and before f, and it would be no race: there are only blind stores. So nothing in
// v sees the bytes before it stores them, and what is seen is e or comes after it. Each of the
// others up to f could be the first one of v, also f, and also one that has run before v.
bool ContextObservers::is_covered_by_store(const Trace& trace, EventIndex e, EventIndex f) const {
  const Label& store = trace[f].label;
  if (context_ || observers_.empty() || store.size > 8 ||
      !stores_same_bytes(store, trace[e].label) ||
      trace[observers_[0]].label.kind == OpKind::kAtomicBlock ||
      observation_.mailboxes().counting())
    return false;
  return any_explored(e, [&](const Event& p, bool has_run) {
    if (!stores_same_bytes(p.label, store)) return false;
    if (has_run) return true;
    const auto own = trace.events_of(p.thread);
    const std::uint32_t next = trace.counts_before(e)[p.thread];
    return next < own.size() && own[next] <= f;
  });
}

// Whether w'.v starts with p: it is in there, and nothing that it depends on comes before it,
// observed or not. for_each(f) calls f with the events of v.
template <typename ForEach>
bool ContextObservers::starts_with(const Trace& trace, const DoneSets::Entry& entry,
                                   std::size_t depth, ForEach&& for_each) const {
  const Event& p = steps_[entry.step];
  bool found = false;
  bool first = true;
  const auto look = [&](const Event& event) {
    found = found || event.thread == p.thread;
    if (!found && dependent(event, p)) first = false;
  };
  for (EventIndex i = entry.origin; i < depth; ++i) look(trace[i]);
  for_each(look);
  return found && first;
}

// Where a store was explored first and another order of it was cut, because that is equal to those
// who see it, what goes on beside the cut step is run for races that the first order hides. The
// store does not cover it.
bool ContextObservers::is_beside_cut(const DoneSets::Entry& entry, std::size_t depth) const {
  if (!context_ || entry.asleep) return false;
  for (std::size_t d = entry.origin + std::size_t{1}; d <= depth; ++d)
    if (nodes_[d].has_cut) return true;
  return false;
}

bool ContextObservers::redundant(const Trace& trace) {
  const std::span<const DoneSets::Entry> entries = done_.at(reversal_.first());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Event& p = steps_[entries[i].step];
    const DoneSets::Entry& entry = entries[i];
    const auto match = reversal_.match_done(p, {.origin = entry.origin,
                                                .ran = !entry.asleep,
                                                .independent = entry.asleep && !entry.overtaken,
                                                .hidden = entry.hidden});
    if (match == ObservedReversal::Match::kConflict || is_beside_cut(entry, reversal_.first()))
      continue;
    // A step that was cut covers what starts with it, also for those who observe it; but no races
    // were found after it. Nor is it certain that those found after a step with left out orders
    // lead to what has it later.
    if ((entry.cut || entry.pruned) &&
        !starts_with(trace, entry, reversal_.first(),
                     [&](const auto& look) { reversal_.for_each(look); }))
      continue;
    if (match == ObservedReversal::Match::kIndependent || !entries[i].asleep ||
        !reversal_.try_next_choice(p))
      return true;
    i = static_cast<std::size_t>(-1);  // from the start, with the other outcome
  }
  return false;
}

// Whether some really explored step is a weak initial of the sequence after the prefix: then its
// branch, and the races found there, cover the sequence.
bool ContextObservers::is_covered(const Trace& trace, std::size_t depth,
                                  const std::vector<StepId>& path) {
  const auto for_each = [&](const auto& look) {
    for (StepId step : path) look(steps_[step]);
  };
  for (const DoneSets::Entry& entry : done_.at(depth)) {
    if (entry.cut || is_beside_cut(entry, depth)) continue;
    if (entry.pruned && !starts_with(trace, entry, depth, for_each)) continue;
    since_.start(trace, entry.origin);
    for (EventIndex i = entry.origin; i < depth; ++i) since_.add(trace[i]);
    for_each([&](const Event& event) { since_.add(event); });
    if (since_.match(steps_[entry.step]) != Consistency::Match::kConflict) return true;
  }
  return false;
}

}  // namespace mazur
