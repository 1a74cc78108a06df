// The reversals of an execution: every sequence v that has one of its races the other way round, to
// be explored after a prefix (trace/reversal.h). Races are those of two events; those of an
// operation that blocks with what disabled it, also if it is still blocked at the end (JACM section
// 8); and those of a step with itself, if it has several outcomes.
//
// Races of the prefix that an execution shares with the one before are reversed again:
// v = notdep(e, E).e' contains all later events that do not depend on e, so another suffix gives
// another v, which may not be covered where the first one was. Only when the answer for v rests on
// events of the shared prefix alone is it the same. Then it is settled, and v is left out.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/function_ref.h"
#include "base/stop.h"
#include "explore/probe.h"
#include "trace/blocking/blocking.h"
#include "trace/blocking/look.h"
#include "trace/frontier.h"
#include "trace/reversal.h"
#include "trace/trace.h"

namespace mazur {

// Which races are settled, by what.
class SettledRaces {
 public:
  // Calls, in the order of the later events, for all races that are not settled,
  //
  //   reverse.race(e, f)                      for e in order.races(f)
  //   reverse.disabling(waiting, dropped, step)  as disabling_races() does
  //   reverse.choice(e, choice)               for the outcomes of e that it did not have
  //
  // Each returns the last event that its answer rests on, or kNoEvent if it rests on all of them
  // (Reversal::settled_by).
  //
  // `order` is the trace, or another order over its events with these functions: races(),
  // races_before() and clocks(). It is the same as in the last call for the first `kept` events.
  // `frontier`: who waits at the end.
  template <typename Order, typename Reverse>
  void for_each(const Trace& trace, const Order& order, const Frontier& frontier, EventIndex kept,
                Reverse&& reverse);

  // Whether no race was left out (disabling_races).
  bool complete() const { return complete_; }

 private:
  // What settles both.
  static EventIndex both(EventIndex a, EventIndex b) {
    return a == kNoEvent || b == kNoEvent ? kNoEvent : std::max(a, b);
  }
  static void keep(std::vector<EventIndex>& settled, std::size_t kept, std::size_t size) {
    settled.resize(kept);
    settled.resize(size, kNoEvent);
  }
  template <typename Reverse>
  EventIndex disabling(const Trace& trace, Waiting w, const std::uint32_t* clocks,
                       Reverse& reverse);
  template <typename Reverse>
  EventIndex choices(const Trace& trace, EventIndex e, Reverse& reverse);

  bool complete_ = true;
  std::vector<EventIndex> race_;       // by number of the race
  std::vector<EventIndex> disabling_;  // by event
  std::vector<EventIndex> choices_;    // by event
};

// The reversals in the order of the trace.
class Reversals {
 public:
  // Explores v or finds that it is covered. Returns v.settled_by(), or kNoEvent.
  using Reverse = FunctionRef<EventIndex(Reversal& v)>;

  void use_probe(Probe* probe) { probe_ = probe; }

  // As SettledRaces::for_each().
  void for_each(const Trace& trace, const Frontier& frontier, std::size_t kept, Reverse reverse);

  // For a v that is unresolved() and not covered whatever its last step touches: runs v on the side
  // to find out what that is. Returns false if there is no probe; then v is left out.
  bool resolve(const Trace& trace, Reversal& v);

  // Whether no v was left out.
  bool complete() const { return settled_.complete() && complete_; }

 private:
  SettledRaces settled_;
  Reversal reversal_;
  Probe* probe_ = nullptr;
  bool complete_ = true;
};

template <typename Order, typename Reverse>
void SettledRaces::for_each(const Trace& trace, const Order& order, const Frontier& frontier,
                            EventIndex kept, Reverse&& reverse) {
  const auto size = static_cast<EventIndex>(trace.size());
  keep(race_, order.races_before(kept), order.races_before(size));
  keep(disabling_, kept, size);
  keep(choices_, kept, size);
  const auto settled = [kept](EventIndex by) { return by != kNoEvent && by < kept; };

  std::size_t number = 0;
  for (EventIndex f = 0; f < size; ++f) {
    for (EventIndex e : order.races(f)) {
      EventIndex& by = race_[number++];
      if (settled(by)) continue;
      stop_if_wished();
      by = reverse.race(e, f);
    }
    const Event& event = trace[f];
    if (can_be_disabled(event.label) && !settled(disabling_[f]))
      disabling_[f] = disabling(trace, waiting(trace, f), order.clocks(), reverse);
    if (event.ways > 1 && !settled(choices_[f])) choices_[f] = choices(trace, f, reverse);
  }
  for (const Pending& p : frontier.threads())
    if (can_be_disabled(p.op))
      disabling(trace, waiting(trace, p.thread, p.op, p.holds), order.clocks(), reverse);
}

template <typename Reverse>
EventIndex SettledRaces::disabling(const Trace& trace, Waiting w, const std::uint32_t* clocks,
                                   Reverse& reverse) {
  w.clocks = clocks;
  EventIndex by = w.end;
  complete_ &=
      disabling_races(trace, w, [&](std::span<const EventIndex> dropped, const Event& step) {
        by = both(by, reverse.disabling(w, dropped, step));
      });
  // For these, events that come later can be dropped, too.
  const bool may_grow = w.op.kind == OpKind::kWrLock || w.op.kind == OpKind::kAwait ||
                        w.op.kind == OpKind::kCondWake || is_look(w.op);
  return may_grow ? kNoEvent : by;
}

template <typename Reverse>
EventIndex SettledRaces::choices(const Trace& trace, EventIndex e, Reverse& reverse) {
  EventIndex by = e;
  for (std::uint16_t choice = 0; choice < trace[e].ways; ++choice)
    if (choice != trace[e].choice) by = both(by, reverse.choice(e, choice));
  return by;
}

}  // namespace mazur
