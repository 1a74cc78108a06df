#include "compare.h"

#include <map>
#include <sstream>
#include <stdexcept>

#include "explore/registry.h"
#include "run_mazur.h"
#include "write_c.h"

namespace differential {
namespace {

using mazur::test::MazurRun;

std::string number(std::uint64_t n) { return std::to_string(n); }

// What the executions of one program have printed.
struct Printed {
  std::uint64_t starts = 0, ends = 0;
  std::map<std::string, std::uint64_t> outcomes;
};

std::vector<Printed> printed(const std::string& text, std::size_t programs) {
  std::vector<Printed> all(programs);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("@start ")) {
      ++all.at(std::stoul(line.substr(7), nullptr, 16)).starts;
    } else if (line.starts_with("@end ")) {
      Printed& to = all.at(std::stoul(line.substr(5, 4), nullptr, 16));
      ++to.ends;
      ++to.outcomes[line.substr(10)];
    }
  }
  return all;
}

bool by_registers(Promise promise) {
  return promise == Promise::kObserved || promise == Promise::kObservedValues;
}
bool exact(Promise promise) {
  return promise != Promise::kOutcomes && promise != Promise::kObservedValues;
}

// How often each outcome should be seen.
std::map<std::string, std::uint64_t> expected(const Answer& answer, Promise promise) {
  if (by_registers(promise)) return answer.observed;
  std::map<std::string, std::uint64_t> outcomes;
  for (const auto& [outcome, ends] : answer.outcomes)
    outcomes[outcome] = promise == Promise::kInterleavings ? ends.interleavings : ends.traces;
  return outcomes;
}
std::uint64_t expected_in_all(const Answer& answer, Promise promise) {
  return promise == Promise::kInterleavings ? answer.all.interleavings
         : promise == Promise::kObserved    ? answer.observed_all
                                            : answer.all.traces;
}
std::uint64_t expected_deadlocks(const Answer& answer, Promise promise) {
  return promise == Promise::kInterleavings ? answer.deadlocks.interleavings
         : promise == Promise::kObserved    ? answer.observed_deadlocks
                                            : answer.deadlocks.traces;
}

std::string judge(const Answer& answer, const Printed& seen, const Explorer& explorer) {
  const Promise promise = explorer.promise;
  std::map<std::string, std::uint64_t> wanted = expected(answer, promise), got;
  for (const auto& [outcome, count] : seen.outcomes)
    got[by_registers(promise) ? outcome.substr(0, kRegisterDigits) : outcome] += count;
  for (const auto& [outcome, count] : got)
    if (!wanted.contains(outcome)) return "outcome " + outcome + " is not possible";
  for (const auto& [outcome, count] : wanted) {
    if (!got.contains(outcome)) return "outcome " + outcome + " is not reached";
    if (exact(promise) && got[outcome] != count)
      return "outcome " + outcome + " is reached " + number(got[outcome]) + " times instead of " +
             number(count);
  }
  const std::uint64_t deadlocks = expected_deadlocks(answer, promise);
  const std::uint64_t without_end = seen.starts - seen.ends;
  if (explorer.never_blocked ? without_end != deadlocks : without_end < (deadlocks != 0 ? 1 : 0))
    return number(without_end) + " executions do not end, and there are " + number(deadlocks) +
           " deadlocks";
  return {};
}

// What the result as a whole must be. `deadlocks`: some program has them.
std::string judge_result(const MazurRun& run, bool deadlocks, const Explorer& explorer) {
  for (const auto& error : run.result["errors"])
    if (error["kind"] != "deadlock") return "an error of kind " + error["kind"].get<std::string>();
  const std::string verdict = run.verdict();
  // What is explored is all there is, also where that rests on tests.
  const bool right = deadlocks                 ? verdict == "bug"
                     : explorer.partial        ? run.finished()
                     : exact(explorer.promise) ? verdict == "verified"
                                               : verdict == "verified" || verdict == "incomplete";
  if (!right) return "the verdict is " + verdict + (deadlocks ? " in spite of deadlocks" : "");
  if (run.bounded() != 0) return "executions were cut";
  if (explorer.never_blocked && run.blocked() != 0)
    return number(static_cast<std::uint64_t>(run.blocked())) + " blocked executions";
  return {};
}

Promise promise_of(mazur::Covers covers) {
  switch (covers) {
    case mazur::Covers::kSchedules:
      return Promise::kInterleavings;
    case mazur::Covers::kObserved:
      return Promise::kObserved;
    case mazur::Covers::kStates:
      return Promise::kOutcomes;
    case mazur::Covers::kObservedStates:
      return Promise::kObservedValues;
    case mazur::Covers::kTraces:
    case mazur::Covers::kSamples:
      break;
  }
  return Promise::kTraces;
}

}  // namespace

const std::vector<Explorer>& explorers() {
  static const std::vector<Explorer> all = [] {
    std::vector<Explorer> rows;
    for (const mazur::ExplorerEntry& entry : mazur::explorer_registry()) {
      if (entry.covers == mazur::Covers::kSamples) continue;
      Explorer row{std::string(entry.name), {"--algorithm=" + std::string(entry.name)}};
      row.promise = promise_of(entry.covers);
      row.never_blocked = entry.never_blocked;
      row.partial = entry.partial;
      row.by_default = entry.name != "bounded" && !entry.partial;
      if (entry.covers == mazur::Covers::kObservedStates) row.at_once = 25;
      rows.push_back(std::move(row));
    }
    rows.push_back({.name = "context-optimal",
                    .flags = {"--algorithm=context", "--base=optimal"},
                    .promise = Promise::kOutcomes,
                    .by_default = false});
    rows.push_back(
        {.name = "quasi-1", .flags = {"--algorithm=quasi", "--k=1"}, .by_default = false});
    return rows;
  }();
  return all;
}

std::vector<std::string> default_explorers() {
  std::vector<std::string> names;
  for (const Explorer& explorer : explorers())
    if (explorer.by_default) names.push_back(explorer.name);
  return names;
}

Batch::Batch(std::vector<Task> tasks, const Build& build)
    : tasks_(std::move(tasks)), mazur_(build.mazur.empty() ? MAZUR_PROGRAM : build.mazur) {
  std::vector<Program> programs;
  for (const Task& task : tasks_) programs.push_back(task.program);
  const std::string source = folder_.write("programs.c", write_c(programs));
  executable_ = folder_ / "programs";
  const MazurRun run = mazur::test::run_mazur({"cc", "--compiler=" + build.compiler, source, "-o",
                                               executable_, "-O" + build.optimise, "-g0"},
                                              folder_.path(), mazur_);
  if (run.exit_code != 0) throw std::runtime_error("the programs do not compile: " + run.text);
}

Comparison Batch::compare(std::size_t first, std::size_t last, const Explorer& explorer,
                          bool outcomes) {
  std::vector<std::string> words{"check",      executable_,    "--keep-going",      "--quiet",
                                 "--no-trace", "--minimise=0", "--json=result.json"};
  words.insert(words.end(), explorer.flags.begin(), explorer.flags.end());
  words.push_back(outcomes ? "--output=all" : "--output=none");
  words.insert(words.end(), {"--", number(first), number(last)});
  if (outcomes) words.push_back("outcomes");
  const MazurRun run = mazur::test::run_mazur(words, folder_.path(), mazur_);
  if (!run.result.is_object() || !run.result.contains("executions"))
    return {"there is no result: " + run.text, 0, {}};
  const auto complete = static_cast<std::uint64_t>(run.complete());
  Comparison comparison{{}, complete + static_cast<std::uint64_t>(run.blocked()), {}};

  std::uint64_t wanted = 0, deadlocks = 0;
  for (std::size_t i = first; i < last; ++i) {
    wanted += expected_in_all(tasks_[i].answer, explorer.promise);
    deadlocks += expected_deadlocks(tasks_[i].answer, explorer.promise);
  }
  if (outcomes) {
    const std::vector<Printed> all = printed(run.text, tasks_.size());
    for (std::size_t i = first; i < last; ++i) {
      comparison.disagreement = judge(tasks_[i].answer, all[i], explorer);
      if (comparison.disagreement.empty()) continue;
      comparison.program = i;
      return comparison;
    }
  }
  comparison.disagreement = judge_result(run, deadlocks != 0, explorer);
  if (comparison.disagreement.empty() &&
      (exact(explorer.promise) ? complete != wanted : complete > wanted))
    comparison.disagreement =
        number(complete) + " complete executions instead of " + number(wanted);
  return comparison;
}

}  // namespace differential
