// context on source DPOR (Albert et al., CAV 2017).
#include <algorithm>

#include "explore/context/context.h"
#include "explore/context/context_independence.h"
#include "explore/context/dont_do.h"
#include "explore/context/hidden_plans.h"
#include "explore/context/hidden_races.h"
#include "explore/dpor/source_races.h"
#include "trace/dependence.h"

namespace mazur {
namespace {

class SourceContext final : public BacktrackSearch {
 public:
  explicit SourceContext(const ExplorerOptions& options)
      : BacktrackSearch(options, /*sleep_sets=*/true),
        races_(*this, SourceRaces::Sets::kSource),
        published_(options.published_rules) {}

  MaybeStep choose(const Trace& trace, const Frontier& frontier) override;
  bool plan(const Trace& trace, const Frontier& frontier, End end) override;
  Needs needs() const override { return {.probe = true}; }
  Standing standing() const override {
    return {.doubt = published_          ? kPublished
                     : races_.complete() ? nullptr
                                         : kSomeOrders,
            // Without a don't-do sequence and without a plan for a hidden race it has done what
            // `source` does.
            .proven = !left_out_,
            .restarts = restarts_};
  }
  void use_probe(Probe* probe) override { independence_.use_probe(probe); }

 private:
  MaybeStep choose_any(const Trace& trace, const Frontier& frontier);
  void analyse(const Trace& trace, const Frontier& frontier, std::size_t keep) override;
  void add_awake(std::size_t depth, const Frontier& frontier);
  void add_dont_do(const Trace& trace, EventIndex e, EventIndex f);
  void ban_hiding(const Trace& trace, const Frontier& frontier, std::size_t keep);
  void reverse_hidden(const Trace& trace, EventIndex x, EventIndex y, const Event& last,
                      std::span<const EventIndex> notdep);

  SourceRaces races_;
  bool published_;         // by the rules of the paper alone
  bool left_out_ = false;  // an order was taken to be equal to an explored one
  bool cut_ = false;       // the last step was in dnd(E)
  unsigned restarts_ = 0;
  Observation observation_{false};
  DontDo dont_do_{steps(), observation_};
  HiddenPlans hidden_plans_;
  HiddenRaces hidden_;
  ContextIndependence independence_;
  std::vector<Unfinished> unfinished_;
  std::vector<EventIndex> sequence_;  // scratch
};

MaybeStep SourceContext::choose(const Trace& trace, const Frontier& frontier) {
  set_blocked(cut_);
  if (cut_) return std::nullopt;
  if (is_new(trace)) return choose_any(trace, frontier);
  const std::size_t depth = trace.size();
  dont_do_.truncate(depth + 1);
  const Step step = next(trace);
  if (hidden_plans_.leads_astray(frontier, step)) {
    set_blocked(true);
    return std::nullopt;
  }
  at_exit().note(step, frontier);
  cut_ = dont_do_.contains(depth, step);
  return step;
}

// At a new prefix.
MaybeStep SourceContext::choose_any(const Trace& trace, const Frontier& frontier) {
  const std::size_t depth = trace.size();
  push_sleep(trace);
  dont_do_.truncate(depth);
  if (depth == 0)
    dont_do_.push_empty();
  else
    dont_do_.push_after(trace.events().back());
  auto step = pick_awake(trace, frontier, [&](Step p) { return !dont_do_.contains(depth, p); });
  if (step) return begin(trace, frontier, *step);
  // All that is awake is in dnd(E): each is run once, for its races.
  step = pick_awake(trace, frontier, [](Step) { return true; });
  if (step) {
    cut_ = true;
    begin(trace, frontier, *step);
    add_awake(depth, frontier);
  } else {
    set_blocked(frontier.any_enabled());
  }
  return step;
}

void SourceContext::add_awake(std::size_t depth, const Frontier& frontier) {
  for (const Pending& p : frontier.threads())
    for (std::uint16_t c = 0; p.enabled && c < p.ways; ++c)
      if (!asleep(depth, {p.thread, c})) add_to_backtrack(depth, {p.thread, c});
}

bool SourceContext::plan(const Trace& trace, const Frontier& frontier, End end) {
  if (hidden_plans_.went_astray()) {
    ++restarts_;
    start_over();
    dont_do_.truncate(0);
    return true;
  }
  const bool more = BacktrackSearch::plan(trace, frontier, end);
  cut_ = false;
  return more;
}

void SourceContext::analyse(const Trace& trace, const Frontier& frontier, std::size_t keep) {
  races_.analyse(trace, frontier, keep, cut_,
                 [&](EventIndex e, EventIndex f) { add_dont_do(trace, e, f); });
  if (!published_) ban_hiding(trace, frontier, keep);
}

// Context-sensitive DPOR: if after ance(e, f, E).f.e the state is what it is after f in E.
void SourceContext::add_dont_do(const Trace& trace, EventIndex e, EventIndex f) {
  sequence_.clear();
  for (EventIndex i = e + 1; i < f; ++i)
    if (!trace.happens_before(e, i) && trace.happens_before(i, f)) sequence_.push_back(i);
  const auto other = independence_.swapped(trace, sequence_, e, f);
  if (!other) return;
  left_out_ = true;
  DontDo::Sequence dont;
  for (EventIndex i : sequence_) dont.push_back(steps().add(trace[i]));
  dont.push_back(steps().add(other->f));
  dont.push_back(steps().add(other->e));
  dont_do_.add(e, std::move(dont), DontDo::swap_of(trace, e, f));
}

// Operations that commute, but whose order hides a race, are explored in both orders.
void SourceContext::ban_hiding(const Trace& trace, const Frontier& frontier, std::size_t keep) {
  hidden_plans_.stop_if_waiting(trace, keep, frontier);
  find_blocked(frontier, unfinished_);
  hidden_.find(
      trace, keep, {trace, trace.clocks()}, unfinished_,
      [&](std::span<const EventIndex> u, EventIndex x, EventIndex y) {
        return independence_.equal(trace, u, x, y).has_value();
      },
      [](EventIndex, EventIndex) { return true; },
      [&](EventIndex x, EventIndex y, const Event& last, std::span<const EventIndex> notdep) {
        if (!hidden_plans_.may_plan()) return false;
        left_out_ = true;
        reverse_hidden(trace, x, y, last, notdep);
        return true;
      },
      [&](EventIndex e, EventIndex f, EventIndex, EventIndex) {
        dont_do_.ban(e, DontDo::swap_of(trace, e, f));
      });
}

// Explores the reversal of the race, as if the execution in which it shows had been explored.
void SourceContext::reverse_hidden(const Trace& trace, EventIndex x, EventIndex y,
                                   const Event& last, std::span<const EventIndex> notdep) {
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

}  // namespace

std::unique_ptr<Explorer> make_source_context(const ExplorerOptions& options) {
  return std::make_unique<SourceContext>(options);
}

}  // namespace mazur
