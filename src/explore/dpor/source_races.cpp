#include "explore/dpor/source_races.h"

#include "base/stop.h"
#include "trace/dependence.h"

namespace mazur {
namespace {

// The end of E for a race of this thread's last step or next one.
EventIndex end_for(const Trace& trace, ThreadId thread, bool cut) {
  const auto size = static_cast<EventIndex>(trace.size());
  return cut && trace.thread(size - 1) != thread ? size - 1 : size;
}

}  // namespace

void SourceRaces::analyse(const Trace& trace, const Frontier& frontier, std::size_t keep, bool cut,
                          FunctionRef<void(EventIndex, EventIndex)> reversed) {
  while (!gaining_.empty() && gaining_.back().f >= keep) gaining_.pop_back();
  for (auto f = static_cast<EventIndex>(keep); f < trace.size(); ++f) {
    for (EventIndex e : trace.races(f)) {
      if (!reversible(trace, e, f)) continue;
      stop_if_wished();
      reversal_.race(trace, e, f, f);
      if (may_gain_dependences(trace[e].label, reversal_.last().label)) gaining_.push_back({e, f});
      reverse();
      reversed(e, f);
    }
    const Event& event = trace[f];
    if (can_be_disabled(event.label)) analyse_disabling(trace, waiting(trace, f), f);
    for (std::uint16_t c = 0; c < event.ways; ++c) search_.add_to_backtrack(f, {event.thread, c});
  }
  analyse_gaining(trace, cut);
  for (const Pending& p : frontier.threads()) {
    if (!can_be_disabled(p.op)) continue;
    const Waiting w = waiting(trace, p.thread, p.op, p.holds);
    const EventIndex end = end_for(trace, p.thread, cut);
    const bool needs_cut = end < w.end && may_depend(trace[end].label, p.op);
    analyse_disabling(trace, w, needs_cut ? w.end : end);
  }
}

// The proof of Algorithm 1 takes an equivalent execution in which f comes after everything that it
// would depend on once reversed. Here f may have run before that, independent of it as f was.
void SourceRaces::analyse_gaining(const Trace& trace, bool cut) {
  for (const Race& race : gaining_) {
    reversal_.race(trace, race.e, race.f, end_for(trace, trace.thread(race.f), cut));
    reverse();
  }
}

// Alg. 3 lines 3-8 and Alg. 5 lines 2-10.
void SourceRaces::analyse_disabling(const Trace& trace, const Waiting& w, EventIndex end) {
  complete_ &=
      disabling_races(trace, w, [&](std::span<const EventIndex> dropped, const Event& step) {
        reversal_.disabling(trace, dropped, step, w.program_predecessor, end);
        reverse();
      });
}

// Alg. 1 lines 8-9. An initial that is asleep is as good as one in the backtrack set: it would be
// added and never explored. For persistent sets only initials count that happen before the last
// step of v, or are it.
void SourceRaces::reverse() {
  const std::size_t depth = reversal_.first();
  const bool persistent = sets_ == Sets::kPersistent;
  const auto counts = [&](Step q) {
    return reversal_.is_initial(q) && (!persistent || reversal_.precedes_last(q.thread));
  };
  for (Step q : search_.backtrack(depth))
    if (counts(q)) return;
  while (const Event* q = search_.find_asleep(depth, counts))
    if (!reversal_.try_next_choice(*q)) return;
  search_.add_to_backtrack(depth, reversal_.first_step());
}

}  // namespace mazur
