// Which races are reversed, and whether that is redundant.
#include <algorithm>

#include "explore/conditional.h"
#include "trace/block.h"
#include "trace/clock_row.h"
#include "trace/dependence.h"

namespace mazur {
namespace {

// What settles both.
EventIndex latest(EventIndex a, EventIndex b) {
  return a == kNoEvent || b == kNoEvent ? kNoEvent : std::max(a, b);
}

// Whether those who see one of the two see the other one in its place.
bool is_same_store(const Label& a, const Label& b) {
  return a.kind == OpKind::kStore && b.kind == OpKind::kStore && a.object == b.object &&
         a.size == b.size;
}

}  // namespace

// Fig. 5, and the races with blocked operations as in optimal.cpp.
void Conditional::detect_races(const Trace& trace, const Frontier& frontier) {
  const auto size = static_cast<EventIndex>(trace.size());
  forget_settled(size);
  stored_after_.assign(size, kNoEvent);
  handled_.follow(keep_);
  // An event whose order has changed settles nothing.
  const auto settled = [&](EventIndex by) { return by != kNoEvent && by < order_.changed(); };
  std::size_t number = 0;
  for (EventIndex f = 0; f < size; ++f) {
    EventIndex other = kNoEvent;            // that the observers are of
    for (EventIndex e : order_.races(f)) {  // line 2
      EventIndex& by = race_settled_[number++];
      if (settled(by)) continue;
      if (is_like_another(trace, e, f)) {
        by = kNoEvent;
        continue;
      }
      if (!reversible(trace, e, f, order_.clocks())) {
        by = f;
        continue;
      }
      if (other == kNoEvent || !is_same_store(trace[e].label, trace[other].label))
        order_.observers(e, f, observers_);
      other = e;
      if (!context_ && !observers_.empty() && handled_.contains_or_add(trace, e, observers_)) {
        by = kNoEvent;
        continue;
      }
      reversal_.leave_out(cut_for_others(trace, trace.thread(f)));
      complete_ = complete_ && !is_guess(trace, e, f);
      if (observers_.empty())
        reversal_.race(trace, e, f);  // line 8
      else
        reversal_.observed_race(trace, e, f, observers_);  // lines 5-6
      if (reverse(trace) && context_) add_dont_do(trace, e, f);
      by = context_ ? kNoEvent : reversal_.settled_by();
    }
    const Event& event = trace[f];
    if (can_be_disabled(event.label.kind) && !settled(disabling_settled_[f]))
      disabling_settled_[f] = detect_disabling(trace, waiting(trace, f));
    if (event.ways > 1 && !settled(choices_settled_[f]))
      choices_settled_[f] = detect_choices(trace, f);
  }
  for (const Pending& p : frontier.threads())
    if (can_be_disabled(p.op.kind))
      detect_disabling(trace, waiting(trace, p.thread, p.op, p.holds));
  if (context_ && !published_) ban_hiding(trace, frontier);
}

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

// A step that was cut was run only for its own races: what others do without it is not covered by
// executions that have it.
EventIndex Conditional::cut_for_others(const Trace& trace, ThreadId thread) const {
  const auto last = static_cast<EventIndex>(trace.size()) - 1;
  return was_cut_ && trace.thread(last) != thread ? last : kNoEvent;
}

// Keeps what is known of events whose order has not changed.
void Conditional::forget_settled(std::size_t size) {
  const auto kept = order_.changed();
  const auto resize = [](std::vector<EventIndex>& settled, std::size_t from, std::size_t to) {
    settled.resize(from);
    settled.resize(to, kNoEvent);
  };
  resize(race_settled_, order_.races_before(kept),
         order_.races_before(static_cast<EventIndex>(size)));
  resize(disabling_settled_, kept, size);
  resize(choices_settled_, kept, size);
}

EventIndex Conditional::detect_disabling(const Trace& trace, Waiting w) {
  w.clocks = order_.clocks();
  EventIndex by = w.end;
  complete_ &=
      disabling_races(trace, w, [&](std::span<const EventIndex> dropped, const Event& step) {
        const EventIndex cut = cut_for_others(trace, w.thread);
        const bool needed = cut != kNoEvent && may_depend(trace[cut].label, w.op);
        reversal_.leave_out(needed ? kNoEvent : cut);
        reversal_.disabling(trace, dropped, step, w.program_predecessor);
        reverse(trace);
        by = latest(by, reversal_.settled_by());
      });
  const bool all_found =
      w.op.kind != OpKind::kWrLock && w.op.kind != OpKind::kAwait && w.op.kind != OpKind::kCondWake;
  return all_found && !context_ ? by : kNoEvent;
}

// The other outcomes of an event, like a race with itself.
EventIndex Conditional::detect_choices(const Trace& trace, EventIndex e) {
  EventIndex by = e;
  for (std::uint16_t c = 0; c < trace[e].ways; ++c) {
    if (c == trace[e].choice) continue;
    reversal_.leave_out(cut_for_others(trace, trace.thread(e)));
    reversal_.choice(trace, e, c);
    reverse(trace);
    by = latest(by, reversal_.settled_by());
  }
  return context_ ? kNoEvent : by;
}

// Fig. 5 lines 9-10. Returns whether v was not redundant.
bool Conditional::reverse(const Trace& trace) {
  if (!reversal_.possible()) return false;
  if (is_unknown_block(reversal_.last().label) && reversal_.has_unordered_stores() &&
      probe_ != nullptr)
    return reverse_all_orders(trace);
  if (redundant(trace)) return false;
  if (is_unknown_block(reversal_.last().label) && (!resolve(trace) || redundant(trace)))
    return false;
  trees_.insert(reversal_, nodes_[reversal_.first()].siblings);
  return true;
}

// v ends in a block of which is not known what it touches there. It may read what was not read in
// E, and see the order of stores that have none in E: then each store that can be the last one is a
// v of its own. They cannot be left to the race that the block observes then: its reversal can be
// taken to be covered by branches that have left it to this one.
bool Conditional::reverse_all_orders(const Trace& trace) {
  std::vector<ObservedReversal::Order> orders{reversal_.order()};
  bool any = false;
  for (std::size_t n = 0; n < orders.size(); ++n) {
    if (n > 0) reversal_.reorder(orders[n]);
    const bool covered = redundant(trace);
    run_to_resolve(trace);
    reversal_.add_other_orders(orders);
    if (covered || redundant(trace)) continue;
    trees_.insert(reversal_, nodes_[reversal_.first()].siblings);
    any = true;
  }
  return any;
}

// v ends in such a block, and there are no stores without an order: if it is not covered whatever
// it touches, v is run to find out.
bool Conditional::resolve(const Trace& trace) {
  if (trees_.covers(reversal_, nodes_[reversal_.first()].siblings)) return false;
  if (probe_ == nullptr) {
    complete_ = false;
    return false;
  }
  run_to_resolve(trace);
  return true;
}

void Conditional::run_to_resolve(const Trace& trace) {
  schedule_.clear();
  for (EventIndex i = 0; i < reversal_.first(); ++i) schedule_.push_back(trace[i].step());
  reversal_.restart();
  reversal_.for_each([&](const Event& event) { schedule_.push_back(event.step()); });
  reversal_.resolve(last_label(*probe_, schedule_));
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
