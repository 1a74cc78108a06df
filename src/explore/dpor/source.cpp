#include "explore/dpor/source.h"

#include <algorithm>

#include "base/stop.h"
#include "explore/context/context.h"
#include "explore/context/hidden_races.h"
#include "explore/context/orders.h"
#include "explore/dpor/backtrack.h"
#include "trace/blocking/blocking.h"
#include "trace/dependence.h"
#include "trace/reversal.h"
#include "trace/wait_set.h"

namespace mazur {
namespace {

// Races are analysed when the execution is over, but for every event as of the moment when it was
// about to run: E is the prefix before it (Alg. 1 lines 5-9 come before the recursive call). The
// events of the kept prefix have had theirs.
enum class Sets : std::uint8_t { kSource, kPersistent };

class Source final : public BacktrackSearch {
 public:
  Source(const ExplorerOptions& options, Sets sets, bool context = false)
      : BacktrackSearch(options, true, context),
        sets_(sets),
        context_(context),
        published_(context && options.published_rules) {}
  Needs needs() const override { return {.probe = context_}; }
  Standing standing() const override {
    return {.doubt = published_  ? kPublished
                     : complete_ ? nullptr
                                 : kSomeOrders,
            // Without a don't-do sequence and without a plan for a hidden race it has done what
            // `source` does.
            .proven = !left_out_,
            .restarts = restarts()};
  }
  void use_probe(Probe* probe) override { orders_.use_probe(probe); }

 private:
  void analyse(const Trace& trace, const Frontier& frontier, std::size_t keep) override;
  void analyse_disabling(const Trace& trace, const Waiting& waiting, EventIndex end);
  EventIndex end_for(const Trace& trace, ThreadId thread) const;
  void analyse_gaining(const Trace& trace);
  void reverse();
  void dont_do(const Trace& trace, EventIndex e, EventIndex f);
  void ban_hiding(const Trace& trace, const Frontier& frontier, std::size_t keep);
  void reverse_hidden(const Trace& trace, EventIndex x, EventIndex y, const Event& last,
                      std::span<const EventIndex> notdep);

  Sets sets_;
  bool context_;           // context-sensitive (context.h)
  bool published_;         // by the rules of the paper alone
  bool complete_ = true;   // no race was left out (blocking.h)
  bool left_out_ = false;  // context: an order was taken to be equal to an explored one
  Reversal reversal_;
  // Races in the trace, in the order of their later events, for which the prefix before that event
  // is not enough.
  struct Race {
    EventIndex e, f;
  };
  std::vector<Race> gaining_;
  std::vector<EventIndex> sequence_;  // scratch
  HiddenRaces hidden_;
  Orders orders_;
  std::vector<Unfinished> unfinished_;
};

void Source::analyse(const Trace& trace, const Frontier& frontier, std::size_t keep) {
  while (!gaining_.empty() && gaining_.back().f >= keep) gaining_.pop_back();
  for (auto f = static_cast<EventIndex>(keep); f < trace.size(); ++f) {
    for (EventIndex e : trace.races(f)) {
      if (!reversible(trace, e, f)) continue;
      stop_if_wished();
      reversal_.race(trace, e, f, f);
      if (may_gain_dependences(trace[e].label, reversal_.last().label)) gaining_.push_back({e, f});
      reverse();
      if (context_) dont_do(trace, e, f);
    }
    const Event& event = trace[f];
    if (can_be_disabled(event.label.kind)) analyse_disabling(trace, waiting(trace, f), f);
    for (std::uint16_t c = 0; c < event.ways; ++c) add_to_backtrack(f, {event.thread, c});
  }
  analyse_gaining(trace);
  for (const Pending& p : frontier.threads()) {
    if (!can_be_disabled(p.op.kind)) continue;
    const Waiting w = waiting(trace, p.thread, p.op, p.holds);
    const EventIndex end = end_for(trace, p.thread);
    const bool needs_cut = end < w.end && may_depend(trace[end].label, p.op);
    analyse_disabling(trace, w, needs_cut ? w.end : end);
  }
  if (context_ && !published_) ban_hiding(trace, frontier, keep);
}

// Operations that commute, but whose order hides a race, are explored in both orders.
void Source::ban_hiding(const Trace& trace, const Frontier& frontier, std::size_t keep) {
  unfinished_.clear();
  for (const Pending& p : frontier.threads()) {
    if (is_waiting_round(p.op)) hidden_plans().stop();
    if (!p.enabled) unfinished_.push_back({p.thread, p.op});
  }
  for (auto e = static_cast<EventIndex>(keep); e < trace.size(); ++e)
    if (is_waiting_round(trace[e].label)) hidden_plans().stop();
  hidden_.find(
      trace, keep, {trace, trace.clocks()}, unfinished_,
      [&](std::span<const EventIndex> u, EventIndex x, EventIndex y) {
        return orders_.equal(trace, u, x, y).has_value();
      },
      [](EventIndex, EventIndex) { return true; },
      [&](EventIndex x, EventIndex y, const Event& last, std::span<const EventIndex> notdep) {
        if (!hidden_plans().may_plan()) return false;
        left_out_ = true;
        reverse_hidden(trace, x, y, last, notdep);
        return true;
      },
      [&](EventIndex e, EventIndex f, EventIndex, EventIndex) {
        ban_dont_do(e, DontDo::swap_of(trace, e, f));
      });
}

// Explores the reversal of the race, as if the execution in which it shows had been explored.
void Source::reverse_hidden(const Trace& trace, EventIndex x, EventIndex y, const Event& last,
                            std::span<const EventIndex> notdep) {
  const auto is_covered = [&](Step q) { return in_backtrack(x, q) || asleep(x, q); };
  for (std::size_t n = 0; n < notdep.size(); ++n) {
    const EventIndex q = notdep[n];
    const auto before = [&](EventIndex i) { return trace.happens_before(i, q); };
    if (is_covered(trace[q].step()) && std::none_of(&notdep[0], &notdep[n], before)) return;
  }
  const bool is_initial = std::none_of(notdep.begin(), notdep.end(), [&](EventIndex i) {
    return trace.happens_before(i, y) || dependent_next(trace[i], last);
  });
  if (is_initial && is_covered(last.step())) return;
  add_to_backtrack(x, notdep.empty() ? last.step() : trace[notdep[0]].step());
}

// The end of E for a race of this thread's last step or next one. A step that was cut was run only
// for its own races: what others do without it is not covered by executions that have it.
EventIndex Source::end_for(const Trace& trace, ThreadId thread) const {
  const auto size = static_cast<EventIndex>(trace.size());
  return was_cut() && trace.thread(size - 1) != thread ? size - 1 : size;
}

// The proof of Algorithm 1 takes an equivalent execution in which f comes after everything that it
// would depend on once reversed. Here f may have run before that, independent of it as f was.
void Source::analyse_gaining(const Trace& trace) {
  for (const Race& race : gaining_) {
    reversal_.race(trace, race.e, race.f, end_for(trace, trace.thread(race.f)));
    reverse();
  }
}

// Context-sensitive DPOR: if after ance(e, f, E).f.e the state is what it is after f in E.
void Source::dont_do(const Trace& trace, EventIndex e, EventIndex f) {
  sequence_.clear();
  for (EventIndex i = e + 1; i < f; ++i)
    if (!trace.happens_before(e, i) && trace.happens_before(i, f)) sequence_.push_back(i);
  const auto other = orders_.other_order(trace, sequence_, e, f);
  if (!other) return;
  left_out_ = true;
  const Event reversed[] = {other->f, other->e};
  add_dont_do(trace, e, sequence_, reversed, DontDo::swap_of(trace, e, f));
}

// Alg. 3 lines 3-8 and Alg. 5 lines 2-10.
void Source::analyse_disabling(const Trace& trace, const Waiting& w, EventIndex end) {
  complete_ &=
      disabling_races(trace, w, [&](std::span<const EventIndex> dropped, const Event& step) {
        reversal_.disabling(trace, dropped, step, w.program_predecessor, end);
        reverse();
      });
}

// Alg. 1 lines 8-9. An initial that is asleep is as good as one in the backtrack set: it would be
// added and never explored. For persistent sets only initials count that happen before the last
// step of v, or are it.
void Source::reverse() {
  const std::size_t depth = reversal_.first();
  const bool persistent = sets_ == Sets::kPersistent;
  const auto counts = [&](Step q) {
    return reversal_.is_initial(q) && (!persistent || reversal_.precedes_last(q.thread));
  };
  for (Step q : backtrack(depth))
    if (counts(q)) return;
  while (const Event* q = find_asleep(depth, counts))
    if (!reversal_.try_next_choice(*q)) return;
  add_to_backtrack(depth, reversal_.first_step());
}

}  // namespace

std::unique_ptr<Explorer> make_source(const ExplorerOptions& options) {
  return std::make_unique<Source>(options, Sets::kSource);
}

std::unique_ptr<Explorer> make_source_context(const ExplorerOptions& options) {
  return std::make_unique<Source>(options, Sets::kSource, /*context=*/true);
}

std::unique_ptr<Explorer> make_persistent(const ExplorerOptions& options) {
  return std::make_unique<Source>(options, Sets::kPersistent);
}

}  // namespace mazur
