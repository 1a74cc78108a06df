#include "explore/lazy/variations.h"

#include <algorithm>

#include "base/stop.h"

namespace mazur {
namespace {

// What settles two variations.
EventIndex both(EventIndex a, EventIndex b) {
  return a == kNoEvent || b == kNoEvent ? kNoEvent : std::max(a, b);
}

void resize(std::vector<EventIndex>& settled, std::size_t kept, std::size_t size) {
  settled.resize(kept);
  settled.resize(size, kNoEvent);
}

}  // namespace

void Variations::for_each(const Trace& trace, const Frontier& frontier, std::size_t kept,
                          Vary vary) {
  const auto size = static_cast<EventIndex>(trace.size());
  resize(race_settled_, trace.races_before(static_cast<EventIndex>(kept)),
         trace.races_before(size));
  resize(disabling_settled_, kept, size);
  resize(outcomes_settled_, kept, size);
  const auto settled = [&](EventIndex by) { return by != kNoEvent && by < kept; };

  for (EventIndex f = 0; f < size; ++f) {
    std::size_t number = trace.races_before(f);
    for (EventIndex e : trace.races(f)) {
      EventIndex& by = race_settled_[number++];
      stop_if_wished();
      if (!settled(by)) by = races(trace, e, f, vary);
    }
    const Event& event = trace[f];
    if (can_be_disabled(event.label.kind) && !settled(disabling_settled_[f]))
      disabling_settled_[f] = disabling(trace, waiting(trace, f), vary);
    if (event.ways > 1 && !settled(outcomes_settled_[f]))
      outcomes_settled_[f] = outcomes(trace, f, vary);
  }
  for (const Pending& p : frontier.threads())
    if (can_be_disabled(p.op.kind)) disabling(trace, waiting(trace, p.thread, p.op, p.holds), vary);
}

EventIndex Variations::races(const Trace& trace, EventIndex e, EventIndex f, Vary vary) {
  if (!reversible(trace, e, f)) return f;
  reversal_.race(trace, e, f, static_cast<EventIndex>(trace.size()));
  return vary(reversal_);
}

EventIndex Variations::disabling(const Trace& trace, const Waiting& w, Vary vary) {
  const auto end = static_cast<EventIndex>(trace.size());
  EventIndex by = w.end;
  complete_ &=
      disabling_races(trace, w, [&](std::span<const EventIndex> dropped, const Event& step) {
        reversal_.disabling(trace, dropped, step, w.program_predecessor, end);
        by = both(by, vary(reversal_));
      });
  // Of these, events that come later can be dropped, too.
  const bool may_grow =
      w.op.kind == OpKind::kWrLock || w.op.kind == OpKind::kAwait || w.op.kind == OpKind::kCondWake;
  return may_grow ? kNoEvent : by;
}

EventIndex Variations::outcomes(const Trace& trace, EventIndex e, Vary vary) {
  EventIndex by = e;
  for (std::uint16_t choice = 0; choice < trace[e].ways; ++choice) {
    if (choice == trace[e].choice) continue;
    reversal_.choice(trace, e, choice, static_cast<EventIndex>(trace.size()));
    by = both(by, vary(reversal_));
  }
  return by;
}

}  // namespace mazur
