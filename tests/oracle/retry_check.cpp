#include "retry_check.h"

#include <algorithm>
#include <map>

#include "check/loop.h"
#include "explore/registry.h"
#include "machine/model/model_machine.h"
#include "trace/blocking/look.h"

namespace mazur::model {
namespace {

constexpr std::size_t kMostStates = 3'000;
constexpr std::uint64_t kMostExecutions = 3'000;  // programs with more are left out
constexpr std::size_t kMostSteps = 400;
constexpr std::size_t kTriedInCall = 2;  // what a call's tries result in (generate_retries.cpp)

bool in_call(const Program& program, const State& state, ThreadId t) {
  const auto& code = program.threads[t].code;
  const ThreadState& now = state.thread(t);
  return now.life == Life::kLive && now.pc < code.size() && is_in_call(code[now.pc]);
}

class Watch final : public Watcher {
 public:
  Watch(const Program& program, ModelMachine& machine) : program_(program), machine_(machine) {}

  void failed(const Trace&, const Frontier&, const Failure& failure) override {
    if (failure.kind == FailureKind::kUnsupported) complaint = failure.message.text;
    // Local code that does not end has this kind, too.
    if (failure.kind == FailureKind::kLivelock && failure.message.text.starts_with("livelock:"))
      livelock = true;
  }
  void ended(const Trace&, const Tally&, End end) override {
    if (end == End::kBlocked) return;
    if (end == End::kBounded) complaint = "an execution does not end";
    bool stopped = false;
    for (const Pending& p : machine_.frontier().threads()) {
      if (p.enabled || is_look(p.op)) return;
      if (!is_in_vain(p.op)) continue;
      // One that has failed to take several mutexes may be blocked there.
      if (!in_call(program_, machine_.state(), p.thread)) return;
      stopped = true;
    }
    if (stopped) {
      if (!machine_.stands_still()) return;
      for (const Pending& p : machine_.frontier().threads())
        if (is_in_vain(p.op) && machine_.state().pending(p.thread).enabled) return;
    }
    all.insert(Endings::seen(program_, machine_.state()));
  }

  std::set<Endings::Seen> all;
  bool livelock = false;
  std::string complaint;

 private:
  const Program& program_;
  ModelMachine& machine_;
};

}  // namespace

Endings::Seen Endings::seen(const Program& program, const State& state) {
  Seen seen{.finished = state.finished(), .assumed_away = false, .threads = {}, .variables = {}};
  for (unsigned i = 0; i < program.of(ObjectClass::kVariable).size(); ++i)
    seen.variables.push_back(state.variable(i));
  for (ThreadId t = 0; t < state.threads(); ++t) {
    seen.threads.push_back(static_cast<std::int32_t>(state.thread(t).life));
    seen.assumed_away = seen.assumed_away || state.thread(t).life == Life::kAssumedAway;
    // Which of its mutexes a call waits for in the end does not matter.
    const bool blocked = in_call(program, state, t);
    const std::uint16_t pc = state.thread(t).pc;
    seen.threads.push_back(blocked ? program.threads[t].code[pc].target : pc);
    for (std::size_t r = 0; r < state.thread(t).registers.size(); ++r)
      if (!blocked || r != kTriedInCall) seen.threads.push_back(state.thread(t).registers[r]);
  }
  return seen;
}

Endings::Endings(const Program& program) {
  std::map<std::vector<std::uint64_t>, std::size_t> numbers;
  std::vector<State> states;
  std::vector<std::vector<std::size_t>> before;  // the states that lead to each
  std::vector<std::size_t> reached;              // those that can end, and whence
  const auto number = [&](const State& state) {
    std::vector<std::uint64_t> name;
    state.name(name);
    const auto [at, is_new] = numbers.emplace(std::move(name), states.size());
    if (is_new) {
      states.push_back(state);
      before.emplace_back();
    }
    return at->second;
  };
  number(State(&program));
  std::vector<Pending> frontier;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states.size() > kMostStates) {
      complete = false;
      return;
    }
    states[i].frontier(frontier);
    bool enabled = false;
    const State from = states[i];
    for (const Pending& p : frontier)
      for (std::uint16_t choice = 0; p.enabled && choice < p.ways; ++choice) {
        enabled = true;
        State next = from;
        next.run({p.thread, choice});
        before[number(next)].push_back(i);
      }
    if (enabled) continue;
    all.insert(seen(program, from));
    reached.push_back(i);
  }
  std::vector<bool> ends(states.size(), false);
  for (const std::size_t i : reached) ends[i] = true;
  while (!reached.empty()) {
    const std::size_t i = reached.back();
    reached.pop_back();
    for (const std::size_t j : before[i]) {
      if (ends[j]) continue;
      ends[j] = true;
      reached.push_back(j);
    }
  }
  livelock = std::find(ends.begin(), ends.end(), false) != ends.end();
}

bool can_check_retries(const Program& program) {
  for (const Thread& thread : program.threads)
    for (const Instruction& in : thread.code) switch (in.code) {
        case Code::kExit:
        case Code::kSpin:
        case Code::kSpinBoth:
        case Code::kSpinSwap:
          return false;
        default:
          break;
      }
  return true;
}

// A livelock of some threads is not reported if another one has failed an assume.
bool assumes(const Program& program) {
  return std::ranges::any_of(program.threads, [](const Thread& thread) {
    return std::ranges::any_of(thread.code,
                               [](const Instruction& in) { return in.code == Code::kAssume; });
  });
}

std::string check_retries(const Program& program, const Endings& what, const Subject& subject) {
  return check_retries(program, what, subject, true);
}

std::string check_retries(const Program& program, const Endings& what, const Subject& subject,
                          bool heed_calls) {
  ModelMachine machine(program, heed_calls);
  const auto explorer = make_explorer(subject.name, subject.options);
  Watch watch(program, machine);
  const Bounds bounds{
      .max_steps = kMostSteps, .max_executions = kMostExecutions, .keep_going = true};
  const Outcome outcome = explore(machine, *explorer, bounds, watch);
  if (outcome.outdated) return check_retries(program, what, subject, false);
  // Repetitions of such calls are often not recognised.
  if (!heed_calls && outcome.tally.bounded > 0) return {};
  if (!watch.complaint.empty()) return watch.complaint;
  if (outcome.tally.total() >= kMostExecutions) return {};
  if (!outcome.finished) return "not finished: " + outcome.reason;
  // What is observed is what threads have seen.
  std::set<Endings::Seen> expected, found;
  const auto shown = [&](Endings::Seen seen) {
    if (subject.observed) seen.variables.clear();
    return seen;
  };
  // Where a thread has failed an assume, it need not have come to that.
  for (const Endings::Seen& seen : what.all)
    if (!seen.assumed_away) expected.insert(shown(seen));
  for (const Endings::Seen& seen : watch.all)
    if (!seen.assumed_away) found.insert(shown(seen));
  if (found != expected) {
    const bool missed =
        !std::includes(found.begin(), found.end(), expected.begin(), expected.end());
    return missed ? "an ending was missed" : "an ending was made up";
  }
  if (watch.livelock && !what.livelock) return "a livelock was made up";
  if (what.livelock && !watch.livelock && !assumes(program)) return "a livelock was missed";
  return {};
}

}  // namespace mazur::model
