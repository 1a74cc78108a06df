#include "explore/source.h"

#include <algorithm>

#include "explore/backtrack.h"
#include "trace/blocking.h"
#include "trace/reversal.h"

namespace mazur {
namespace {

// Races are analysed when the execution is over, but for every event as of the moment when it was
// about to run: E is the prefix before it (Alg. 1 lines 5-9 come before the recursive call). The
// events of the kept prefix have had theirs.
class Source final : public BacktrackSearch {
 public:
  explicit Source(const ExplorerOptions& options) : BacktrackSearch(options, true) {}

 private:
  void analyse(const Trace& trace, const Frontier& frontier, std::size_t keep) override;
  void analyse_disabling(const Trace& trace, const Waiting& waiting);
  void reverse();

  Reversal reversal_;
};

void Source::analyse(const Trace& trace, const Frontier& frontier, std::size_t keep) {
  for (auto f = static_cast<EventIndex>(keep); f < trace.size(); ++f) {
    for (EventIndex e : trace.races(f)) {
      if (!reversible(trace, e, f)) continue;
      reversal_.race(trace, e, f, f);
      reverse();
    }
    const Event& event = trace[f];
    if (can_be_disabled(event.label.kind)) analyse_disabling(trace, waiting(trace, f));
    for (std::uint16_t c = 0; c < event.ways; ++c) add_to_backtrack(f, {event.thread, c});
  }
  for (const Pending& p : frontier.threads())
    if (can_be_disabled(p.op.kind))
      analyse_disabling(trace, waiting(trace, p.thread, p.op, p.holds));
}

// Alg. 3 lines 3-8 and Alg. 5 lines 2-10.
void Source::analyse_disabling(const Trace& trace, const Waiting& w) {
  disabling_races(trace, w, [&](std::span<const EventIndex> dropped, const Event& step) {
    reversal_.disabling(trace, dropped, step, w.program_predecessor, w.end);
    reverse();
  });
}

// Alg. 1 lines 8-9. An initial that is asleep is as good as one in the backtrack set: it would be
// added and never explored.
void Source::reverse() {
  const std::size_t depth = reversal_.first();
  for (Step q : backtrack(depth))
    if (reversal_.is_initial(q)) return;
  if (any_asleep(depth, [&](Step q) { return reversal_.is_initial(q); })) return;
  add_to_backtrack(depth, reversal_.first_step());
}

}  // namespace

std::unique_ptr<Explorer> make_source(const ExplorerOptions& options) {
  return std::make_unique<Source>(options);
}

}  // namespace mazur
