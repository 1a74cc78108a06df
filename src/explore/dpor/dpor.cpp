#include "explore/dpor/dpor.h"

#include "explore/dpor/backtrack.h"
#include "explore/dpor/source.h"
#include "trace/atomic_block/block.h"
#include "trace/blocking/blocking.h"
#include "trace/dependence.h"

namespace mazur {
namespace {

// The line numbers are those of the algorithm Explore in Flanagan and Godefroid's paper, where S is
// the sequence so far and s its last state.
//
// This is the form without sleep sets. With them, some executions are left out that would have
// shown the races that line 4 skips and the orders that line 5 does not see; then the races are
// those of Algorithm 1 of the JACM paper (see source.h).
class Dpor final : public BacktrackSearch {
 public:
  explicit Dpor(const ExplorerOptions& options) : BacktrackSearch(options, false) {}

  MaybeStep choose(const Trace& trace, const Frontier& frontier) override {
    if (is_new(trace)) visit(trace, frontier);
    return BacktrackSearch::choose(trace, frontier);
  }

 private:
  void visit(const Trace& trace, const Frontier& frontier);
  void analyse(const Trace& trace, const Frontier& frontier, std::size_t keep) override;
  EventIndex last_race(const Trace& trace, const Pending& p) const;
  void add(const Trace& trace, EventIndex i, const Pending& p);

  struct Enabled {
    ThreadId thread;
    std::uint16_t ways;
  };
  std::vector<std::vector<Enabled>> enabled_;  // by length of the prefix
};

// The last event that happens before whatever the thread does next.
EventIndex last_before(const Trace& trace, ThreadId thread) {
  const EventIndex last = trace.last_of(thread);
  return last == kNoEvent ? trace.creation_of(thread) : last;
}

// Lines 3-9.
void Dpor::visit(const Trace& trace, const Frontier& frontier) {
  const std::size_t depth = trace.size();
  if (enabled_.size() <= depth) enabled_.resize(depth + 1);
  enabled_[depth].clear();
  for (const Pending& p : frontier.threads())
    if (p.enabled) enabled_[depth].push_back({p.thread, p.ways});
  for (const Pending& p : frontier.threads()) {
    const EventIndex i = last_race(trace, p);
    if (i != kNoEvent) add(trace, i, p);
  }
}

void Dpor::analyse(const Trace& trace, const Frontier&, std::size_t keep) {
  // All outcomes of a step are explored from where it was.
  for (auto f = static_cast<EventIndex>(keep); f < trace.size(); ++f)
    for (std::uint16_t c = 0; c < trace[f].ways; ++c) add_to_backtrack(f, {trace[f].thread, c});
}

// Line 4: the last event that is dependent and may be co-enabled with p's next operation and does
// not happen before p; kNoEvent if there is none, or if it was found in an earlier state already.
EventIndex Dpor::last_race(const Trace& trace, const Pending& p) const {
  if (trace.empty()) return kNoEvent;
  const auto newest = static_cast<EventIndex>(trace.size() - 1);
  const EventIndex before = last_before(trace, p.thread);
  const auto races = [&](EventIndex i) {
    const Event& e = trace[i];
    return e.thread != p.thread && (before == kNoEvent || !trace.happens_before(i, before)) &&
           may_depend(e.label, p.op) && may_be_co_enabled(e, p.thread, p.op);
  };
  // A thread that has been at this operation already can only have a new race with the last event.
  if (before != newest) return races(newest) ? newest : kNoEvent;
  if (is_unknown_block(p.op)) {  // it may touch anything
    for (EventIndex i = newest + 1; i-- > 0;)
      if (races(i)) return i;
    return kNoEvent;
  }
  Label next;
  static_cast<Operation&>(next) = p.op;
  EventIndex last = kNoEvent;
  trace.history().conflicts_after(next, kNoEvent, [&](EventIndex i) {
    if ((last == kNoEvent || i > last) && races(i)) last = i;
    return true;
  });
  return last;
}

// Lines 5-7. Takes the thread of E that is already in the backtrack set, else p, else the first
// one.
void Dpor::add(const Trace& trace, EventIndex i, const Pending& p) {
  const EventIndex before = last_before(trace, p.thread);
  const auto in_e = [&](ThreadId q) {
    if (q == p.thread) return true;
    if (before == kNoEvent) return false;
    // The last event of q that happens before p comes after i.
    const auto clock = trace.clock(before);
    return q < clock.size() && clock[q] > 0 && trace.events_of(q)[clock[q] - 1] > i;
  };
  const Enabled* chosen = nullptr;
  for (const Enabled& q : enabled_[i]) {
    if (!in_e(q.thread)) continue;
    for (std::uint16_t c = 0; c < q.ways; ++c)
      if (in_backtrack(i, {q.thread, c})) return;
    if (chosen == nullptr || q.thread == p.thread) chosen = &q;
  }
  for (const Enabled& q : enabled_[i]) {
    if (chosen != nullptr && &q != chosen) continue;
    for (std::uint16_t c = 0; c < q.ways; ++c) add_to_backtrack(i, {q.thread, c});
  }
}

}  // namespace

std::unique_ptr<Explorer> make_dpor(const ExplorerOptions& options) {
  if (options.sleep_sets) return make_persistent(options);
  return std::make_unique<Dpor>(options);
}

}  // namespace mazur
