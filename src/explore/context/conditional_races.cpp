// Which races are reversed, and whether that is redundant.
#include <algorithm>

#include "base/stop.h"
#include "explore/context/conditional.h"
#include "trace/block.h"
#include "trace/dependence.h"

namespace mazur {
namespace {

// What settles both.
EventIndex latest(EventIndex a, EventIndex b) {
  return a == kNoEvent || b == kNoEvent ? kNoEvent : std::max(a, b);
}

}  // namespace

// Fig. 5, and the races with blocked operations as in optimal.cpp.
void Conditional::detect_races(const Trace& trace, const Frontier& frontier) {
  const auto size = static_cast<EventIndex>(trace.size());
  forget_settled(size);
  stored_after_.assign(size, kNoEvent);
  handled_.follow(trace, keep_);
  // An event whose order has changed settles nothing.
  const auto settled = [&](EventIndex by) { return by != kNoEvent && by < order_.changed(); };
  std::size_t number = 0;
  for (EventIndex f = 0; f < size; ++f) {
    EventIndex other = kNoEvent;            // that the observers are of
    for (EventIndex e : order_.races(f)) {  // line 2
      EventIndex& by = race_settled_[number++];
      if (settled(by)) continue;
      stop_if_wished();
      if (is_clearly_covered(trace, e, f, by)) continue;
      if (!reversible(trace, e, f, order_.clocks())) {
        by = f;
        continue;
      }
      if (other == kNoEvent || !stores_same_bytes(trace[e].label, trace[other].label))
        order_.observers(e, f, observers_);
      other = e;
      if (is_covered_by_store(trace, e, f)) {
        by = observers_[0];
        continue;
      }
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
      const bool contested = nodes_[e].contested;
      if (reverse(trace) && context_ && add_dont_do(trace, e, f)) nodes_[e].contested = contested;
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
  nodes_[reversal_.first()].contested = true;
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

}  // namespace mazur
