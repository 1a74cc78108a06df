// Whether what was explored covers the sequence v that reverses a race.
#include <algorithm>

#include "explore/conditional.h"
#include "trace/clock_row.h"
#include "trace/dependence.h"

namespace mazur {

// Whether f races with e as an earlier event has done: both are blind stores of the same bytes,
// with nothing after e in their past but e, and nothing in notdep(e, E) sees those bytes. Then each
// of the two is independent of notdep(e, E) and of the other, and what covers notdep(e, E).f' for
// one of them covers it for the other.
bool Conditional::is_like_another(const Trace& trace, EventIndex e, EventIndex f) {
  const Label& store = trace[f].label;
  if (context_ || order_.is_dependence() || store.kind != OpKind::kStore || store.size > 8 ||
      !observation_.writes_blindly(store) || writes_memory(trace[e].label) ||
      !has_no_past_after(trace, e, f))
    return false;
  EventIndex& other = stored_after_[e];
  const bool like = other != kNoEvent && trace[other].label.object == store.object &&
                    trace[other].label.size == store.size && order_.is_only_stored(e, store);
  other = f;
  return like;
}

// Whether nothing from e on happens before f, except for e, which does.
bool Conditional::has_no_past_after(const Trace& trace, EventIndex e, EventIndex f) const {
  const std::uint32_t* clock = order_.clocks() + f * trace.stride();
  const std::uint32_t* before = trace.counts_before(e).data();
  const auto one_more = [&](ThreadId t) { return clock[t] == before[t] + 1; };
  return one_more(trace.thread(e)) && one_more(trace.thread(f)) &&
         count_more(clock, before, trace.stride()) == 2;
}

// Whether redundant() would say so of v of the observed race e <~ f of two stores, because of a
// store of the same bytes; known without writing v out. If there are only such stores between e and
// f, nothing in v sees the bytes before it stores them, and what is seen is e or comes after it. So
// each of the others could be the first one of v, also f, and also one that has run before v.
bool Conditional::is_covered_by_store(const Trace& trace, EventIndex e, EventIndex f) const {
  const Label& store = trace[f].label;
  if (context_ || observers_.empty() || store.size > 8 ||
      !stores_same_bytes(store, trace[e].label) ||
      trace[observers_[0]].label.kind == OpKind::kBlock || observation_.mailboxes().counting())
    return false;
  const auto covers = [&](const DoneSets::Entry& entry) {
    const Event& p = steps_[entry.step];
    if (!stores_same_bytes(p.label, store)) return false;
    if (!entry.asleep) return true;
    const auto own = trace.events_of(p.thread);
    const std::uint32_t next = trace.counts_before(e)[p.thread];
    return next < own.size() && own[next] <= f;
  };
  const auto done = done_.at(e);
  return std::any_of(done.begin(), done.end(), covers) && order_.is_only_stored_between(e, f);
}

// Whether nothing that p depends on comes before it in w'.v, observed or not.
bool Conditional::starts_with(const Trace& trace, const Event& p, EventIndex origin) const {
  bool found = false;
  bool first = true;
  const auto look = [&](const Event& event) {
    found = found || event.thread == p.thread;
    if (!found && dependent(event, p)) first = false;
  };
  for (EventIndex i = origin; i < reversal_.first(); ++i) look(trace[i]);
  reversal_.for_each(look);
  return found && first;
}

bool Conditional::redundant(const Trace& trace) {
  const std::span<const DoneSets::Entry> entries = done_.at(reversal_.first());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Event& p = steps_[entries[i].step];
    const DoneSets::Entry& entry = entries[i];
    const auto match = reversal_.match_done(p, {.origin = entry.origin,
                                                .ran = !entry.asleep,
                                                .independent = entry.asleep && !entry.overtaken,
                                                .hidden = entry.hidden});
    if (match == ObservedReversal::Match::kConflict) continue;
    // A step that was cut covers what starts with it, also for those who observe it; but no races
    // were found after it.
    if (entries[i].cut && (match == ObservedReversal::Match::kIndependent ||
                           !starts_with(trace, p, entries[i].origin)))
      continue;
    if (match == ObservedReversal::Match::kIndependent || !entries[i].asleep ||
        !reversal_.try_next_choice(p))
      return true;
    i = static_cast<std::size_t>(-1);  // from the start, with the other outcome
  }
  return false;
}

}  // namespace mazur
