#include "check/minimise/minimise.h"

#include <algorithm>
#include <unordered_set>

#include "base/hash.h"
#include "check/minimise/shorten.h"

namespace mazur {
namespace {

// The name of a prefix's Mazurkiewicz trace: the sum over its events, each with its past.
class ClassName {
 public:
  void clear() { sum_ = 0; }
  void add(const Trace& trace, EventIndex e) {
    std::uint64_t hash =
        mixed(trace.place(e), std::uint64_t{trace[e].thread} << 16 | trace[e].choice);
    const auto clock = trace.clock(e);
    for (std::size_t t = 0; t < clock.size(); ++t)
      if (clock[t] != 0) hash = mixed(mixed(hash, t), clock[t]);
    sum_ += mixed(hash, hash >> 32);
  }
  std::uint64_t with(ThreadId running) const { return mixed(sum_, running); }

 private:
  std::uint64_t sum_ = 0;
};

// All schedules, those with fewer preemptions first.
class Search {
 public:
  explicit Search(CandidateRun& run) : run_(run) {}

  // Returns whether everything that could be better than the best has been run.
  bool complete() {
    level_.push_back({kNone, {}});
    for (std::uint32_t preemptions = 0;; ++preemptions) {
      if (run_.best() && ScheduleCost{.preemptions = preemptions} > run_.best()->cost) return true;
      while (!level_.empty()) {
        const Branch branch = level_.back();
        level_.pop_back();
        if (!explore(branch)) return false;
      }
      if (next_.empty()) return true;
      level_.assign(next_.rbegin(), next_.rend());  // those that were found first come first
      next_.clear();
    }
  }

 private:
  // A prefix: its last step and the rest.
  using Prefix = std::uint32_t;
  static constexpr Prefix kNone = 0xffffffff;
  struct Branch {
    Prefix before;
    Step step;
  };

  // Runs the branch and, from there, one schedule without further preemptions; notes the others.
  // False: the budget is used up.
  bool explore(const Branch& branch) {
    if (!run_.begin()) return false;
    steps_.clear();
    if (branch.step.thread != kNoThread) steps_.push_back(branch.step);
    for (Prefix p = branch.before; p != kNone; p = prefixes_[p].before)
      steps_.push_back(prefixes_[p].step);
    name_.clear();
    Prefix at = branch.before;
    for (std::size_t i = steps_.size(); i-- > 0;) {
      const auto result = advance(steps_[i]);
      if (result == CandidateRun::Result::kImpossible) return false;
      if (i == 0) at = extend(branch.before, branch.step);
      if (result != CandidateRun::Result::kOn) return true;
    }
    while (visited_.insert(name_.with(run_.current())).second) {
      const auto step = choose(at);
      if (!step || advance(*step) != CandidateRun::Result::kOn) break;
      at = extend(at, *step);
    }
    return true;
  }

  CandidateRun::Result advance(Step step) {
    const auto result = run_.advance(step);
    if (result != CandidateRun::Result::kImpossible)
      name_.add(run_.trace(), static_cast<EventIndex>(run_.trace().size() - 1));
    return result;
  }

  Prefix extend(Prefix before, Step step) {
    prefixes_.push_back({before, step});
    return static_cast<Prefix>(prefixes_.size() - 1);
  }

  // The first step without a preemption; all others become branches.
  MaybeStep choose(Prefix at) {
    const bool continues = run_.current_enabled();
    MaybeStep first;
    const std::size_t others = level_.size();
    for (const Pending& p : run_.frontier().threads()) {
      const bool preempts = continues && p.thread != run_.current();
      if (!p.enabled || run_.hopeless(preempts)) continue;
      for (std::uint16_t c = 0; c < p.ways; ++c) {
        if (preempts)
          next_.push_back({at, {p.thread, c}});
        else if (!first)
          first = Step{p.thread, c};
        else
          level_.push_back({at, {p.thread, c}});
      }
    }
    std::reverse(level_.begin() + static_cast<std::ptrdiff_t>(others), level_.end());
    return first;
  }

  CandidateRun& run_;
  std::vector<Branch> prefixes_;
  std::vector<Branch> level_, next_;
  std::unordered_set<std::uint64_t> visited_;
  std::vector<Step> steps_;  // of the branch under way, backwards
  ClassName name_;
};

// Runs the schedule as it is. False: it does not fail again.
bool fails_again(CandidateRun& run, std::span<const Event> events) {
  run.tolerate(true);
  if (!run.begin()) return false;
  for (const Event& event : events)
    if (run.advance(event.step()) != CandidateRun::Result::kOn) break;
  run.tolerate(run.met_others());
  return run.best().has_value();
}

}  // namespace

Minimised minimise(Machine& machine, std::span<const Event> events, const Failure& failure,
                   std::uint64_t place, const MinimiseBudget& budget) {
  Minimised result{{events.begin(), events.end()}, failure, {}, {}, false, 0};
  result.before.steps = result.after.steps = static_cast<std::uint32_t>(events.size());
  CandidateRun run(machine, place, budget);
  if (events.empty() || !fails_again(run, events)) {
    result.executions = run.executions();
    return result;
  }
  result.before = run.best()->cost;
  shorten_within_trace(run);
  run.reserve(0.4);
  const bool whole = Search(run).complete();
  // Only schedules without old values were searched.
  result.minimal = whole && !run.gave_up() && run.best()->cost.old_values == 0;
  run.reserve(0);
  if (!result.minimal) shorten(run);
  result.events = run.best()->events;
  result.failure = run.best()->failure;
  result.after = run.best()->cost;
  result.executions = run.executions();
  return result;
}

}  // namespace mazur
