#include "check/minimise/minimise.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/hash.h"
#include "check/minimise/shorten.h"

namespace mazur {
namespace {

// All schedules, those with fewer preemptions and old values first.
class Search {
 public:
  explicit Search(CandidateRun& run) : run_(run) {}

  // Returns whether everything that could be better than the best has been run.
  bool complete() {
    levels_[{}].push_back({kNone, {}, Said::kSomewhere});
    while (!levels_.empty()) {
      const Level level = levels_.begin()->first;
      level_ = std::move(levels_.begin()->second);
      levels_.erase(levels_.begin());
      if (run_.best() && ScheduleCost{level.old_values, level.preemptions()} > run_.best()->cost)
        continue;
      std::reverse(level_.begin(), level_.end());  // those that were found first come first
      while (!level_.empty()) {
        const Branch branch = level_.back();
        level_.pop_back();
        if (!explore(branch)) return false;
      }
    }
    return true;
  }

 private:
  // A prefix: its last step and the rest.
  using Prefix = std::uint32_t;
  static constexpr Prefix kNone = 0xffffffff;
  struct Branch {
    Prefix before;
    Step step;
    std::uint32_t rank;  // Said::rank
  };
  // Old values cost more than preemptions, but most schedules fail with few of both. Those without
  // old values come first among as many of both.
  struct Level {
    std::uint32_t both = 0;
    std::uint32_t old_values = 0;
    std::uint32_t preemptions() const { return both - old_values; }
    friend auto operator<=>(const Level&, const Level&) = default;  // NOLINT(modernize-use-nullptr)
  };
  // What has been paid for a state. What follows costs the same, whichever way led there.
  using Paid = std::pair<std::uint32_t, std::uint32_t>;

  static Level level_of(const ScheduleCost& cost) {
    return {cost.old_values + cost.preemptions, cost.old_values};
  }

  // Runs the branch and, from there, one schedule without further preemptions; notes the others.
  // False: the budget is used up.
  bool explore(const Branch& branch) {
    if (!run_.begin()) return false;
    branches_.clear();
    if (branch.step.thread != kNoThread) branches_.push_back(branch);
    for (Prefix p = branch.before; p != kNone; p = prefixes_[p].before)
      branches_.push_back(prefixes_[p]);
    Prefix at = branch.before;
    for (std::size_t i = branches_.size(); i-- > 0;) {
      const auto result = run_.advance(branches_[i].step, branches_[i].rank);
      if (result == CandidateRun::Result::kImpossible) return false;
      if (i == 0) {
        note_others(branch);
        at = extend(branch);
      }
      if (result != CandidateRun::Result::kOn) return true;
    }
    while (is_new()) {
      const auto step = choose(at);
      if (!step) break;
      const Branch next{at, *step, Said::kSomewhere};
      const auto result = run_.advance(next.step);
      note_others(next);
      if (result != CandidateRun::Result::kOn) break;
      at = extend(next);
    }
    return true;
  }

  // Whether the state has not been reached for as little before.
  bool is_new() {
    const ScheduleCost cost = run_.cost();
    const Paid paid{cost.old_values, cost.preemptions};
    const auto [at, fresh] = visited_.try_emplace(mixed(run_.name(), run_.current()), paid);
    if (fresh) return true;
    if (at->second <= paid) return false;
    at->second = paid;
    return true;
  }

  Prefix extend(const Branch& branch) {
    prefixes_.push_back(branch);
    return static_cast<Prefix>(prefixes_.size() - 1);
  }

  // The branch has just been run. It could have read old values.
  void note_others(const Branch& branch) {
    ScheduleCost cost = run_.cost();
    ++cost.old_values;
    if (branch.step.ref != kNewest || (run_.best() && cost >= run_.best()->cost)) return;
    for (const Said& said : run_.others()) {
      Step step = branch.step;
      step.ref = said.ref;
      levels_[level_of(cost)].push_back({branch.before, step, said.rank});
    }
  }

  // The first step without a preemption; all others become branches.
  MaybeStep choose(Prefix at) {
    const bool continues = run_.current_enabled();
    ScheduleCost preempted = run_.cost();
    ++preempted.preemptions;
    MaybeStep first;
    const std::size_t others = level_.size();
    for (const Pending& p : run_.frontier().threads()) {
      const bool preempts = continues && p.thread != run_.current();
      if (!p.enabled || run_.hopeless(preempts)) continue;
      for (std::uint16_t c = 0; c < p.ways; ++c) {
        const Branch branch{at, {p.thread, c}, Said::kSomewhere};
        if (preempts)
          levels_[level_of(preempted)].push_back(branch);
        else if (!first)
          first = Step{p.thread, c};
        else
          level_.push_back(branch);
      }
    }
    std::reverse(level_.begin() + static_cast<std::ptrdiff_t>(others), level_.end());
    return first;
  }

  CandidateRun& run_;
  std::vector<Branch> prefixes_;
  std::vector<Branch> level_;  // what is left of the level under way, the next one last
  std::map<Level, std::vector<Branch>> levels_;
  std::unordered_map<std::uint64_t, Paid> visited_;
  std::vector<Branch> branches_;  // the prefix of the branch under way, backwards
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
                   std::uint64_t place, const MinimiseBudget& budget, MemoryModel model) {
  Minimised result{{events.begin(), events.end()}, failure, {}, {}, false, 0};
  result.before.steps = result.after.steps = static_cast<std::uint32_t>(events.size());
  CandidateRun run(machine, place, budget, model);
  if (events.empty() || !fails_again(run, events)) {
    result.executions = run.executions();
    return result;
  }
  result.before = run.best()->cost;
  run.look_at_memory();
  shorten_within_trace(run);
  run.reserve(0.4);
  const bool whole = Search(run).complete();
  result.minimal =
      whole && !run.gave_up() && (run.best()->cost.old_values == 0 || !run.missed_others());
  run.reserve(0);
  if (!result.minimal) shorten(run);
  result.events = run.best()->events;
  result.failure = run.best()->failure;
  result.after = run.best()->cost;
  result.executions = run.executions();
  return result;
}

}  // namespace mazur
