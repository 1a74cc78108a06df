// Random programs under every memory model, compiled and explored by the real mazur: as many
// executions as the axioms allow (tests/oracle/weak), and the outcomes of the model machine, as
// often. Random programs with atomic blocks under sc: the outcomes of `optimal` on the model machine.
// MAZUR_PERCENT of the programs are checked.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "check/loop.h"
#include "explore/graph/graph.h"
#include "explore/registry.h"
#include "litmus.h"
#include "machine/model/model_machine.h"
#include "machine/model/text.h"
#include "model_as_c.h"
#include "run_mazur.h"
#include "weak_verify.h"

namespace mazur::model {
namespace {

constexpr std::size_t kMostGraphs = 300;

using Outcomes = std::map<std::string, long>;

// What the model machine does under a model.
struct Answer {
  bool usable = false;
  long complete = 0, assume_blocked = 0;
  Outcomes outcomes;
};

class Ends final : public Watcher {
 public:
  Ends(const ModelMachine& machine, const Program& program, Answer& answer)
      : machine_(machine), program_(program), answer_(answer) {}
  void failed(const Trace&, const Frontier&, const Failure& failure) override {
    if (failure.kind != FailureKind::kDeadlock) failed_ = true;
  }
  void ended(const Trace&, const Tally&, End) override {
    if (!machine_.finished()) return;
    std::string text = "@";
    for (unsigned i = 0; i < program_.of(ObjectClass::kVariable).size(); ++i)
      text += " " + std::to_string(machine_.state().variable(i));
    for (ThreadId t = 0; t < program_.threads.size(); ++t)
      for (unsigned i = 0; i < 8; ++i)
        text += " " + std::to_string(machine_.state().thread(t).registers[i]);
    ++answer_.outcomes[text];
  }
  bool has_failed() const { return failed_; }

 private:
  const ModelMachine& machine_;
  const Program& program_;
  Answer& answer_;
  bool failed_ = false;
};

Answer answer_of(const Program& program, MemoryModel model) {
  const WeakAnswer graphs = enumerate_graphs(program, model, kMostGraphs);
  Answer answer;
  if (!graphs.complete || graphs.names.size() < 2) return answer;
  ModelMachine machine(program);
  const auto explorer = make_graph({.memory = model});
  Ends ends(machine, program, answer);
  const Outcome outcome =
      explore(machine, *explorer, Bounds{.max_steps = 1000, .keep_going = true}, ends);
  answer.complete = static_cast<long>(outcome.tally.complete);
  answer.assume_blocked = static_cast<long>(outcome.tally.assume_blocked);
  answer.usable =
      !ends.has_failed() && outcome.cuts.empty() && outcome.tally.total() == graphs.names.size();
  return answer;
}

// What `optimal` finds under sc.
Answer answer_with_blocks(const Program& program) {
  Answer answer;
  ModelMachine machine(program);
  const auto explorer = make_explorer("optimal", {});
  Ends ends(machine, program, answer);
  const Outcome outcome = explore(
      machine, *explorer,
      Bounds{.max_steps = 1000, .max_executions = kMostGraphs / 10, .keep_going = true}, ends);
  answer.complete = static_cast<long>(outcome.tally.complete);
  answer.usable = !ends.has_failed() && outcome.cuts.empty() && outcome.tally.total() > 1;
  return answer;
}

bool has_blocks(const Program& program) {
  return std::ranges::any_of(program.threads, [](const Thread& thread) {
    return std::ranges::any_of(thread.code,
                               [](const Instruction& in) { return in.code == Code::kAtomicBegin; });
  });
}

std::size_t share_of(std::size_t programs) {
  const char* percent = std::getenv("MAZUR_PERCENT");
  return 1 + programs * (percent == nullptr ? 100 : std::strtoull(percent, nullptr, 10)) / 100;
}

std::uint64_t seed_or(std::uint64_t usual) {
  const char* seed = std::getenv("MAZUR_SEED");
  return seed == nullptr ? usual : std::strtoull(seed, nullptr, 10);
}

// A folder with the programs, compiled.
class Compiled {
 public:
  explicit Compiled(const std::vector<Program>& programs)
      : folder_(std::filesystem::temp_directory_path() /
                ("mazur-random-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "programs.c") << as_c(programs);
    const auto built =
        test::run_mazur({"cc", "-O1", "-g0", "-w", "programs.c", "-o", "programs"}, folder_);
    EXPECT_EQ(built.exit_code, 0) << built.text;
  }
  ~Compiled() { std::filesystem::remove_all(folder_); }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  test::MazurRun explore(std::size_t number, MemoryModel model, std::size_t pick) const {
    constexpr const char* kPicks[] = {"continue", "lowest", "highest", "round-robin", "random"};
    return test::run_mazur(
        {"check", "./programs", "--algorithm=graph", "--memory=" + std::string(name_of(model)),
         std::string("--pick=") + kPicks[pick % 5], "--keep-going", "--minimise=0", "--no-trace",
         "--output=all", "--json=result.json", "--", std::to_string(number)},
        folder_);
  }

 private:
  std::filesystem::path folder_;
};

Outcomes printed(const std::string& text) {
  Outcomes outcomes;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("@")) ++outcomes[line];
  return outcomes;
}

// A thread locks a mutex again that it holds, and the like: an error here, a deadlock of the model.
bool is_misused(const test::MazurRun& run) {
  for (const auto& error : run.result["errors"])
    if (error["kind"] == "misuse") return true;
  return false;
}

TEST(NativeRandom, ProgramsHaveTheExecutionsOfTheModels) {
  const std::size_t wanted = share_of(60);
  const std::uint64_t seed = seed_or(41);
  std::vector<Program> programs;
  std::vector<std::array<Answer, 4>> answers;
  for (std::uint64_t n = 0; programs.size() < wanted; ++n) {
    const Program program = generate_weak(seed, n, {.max_threads = 4, .max_operations = 9});
    if (!is_easy(program)) continue;
    std::array<Answer, 4> all;
    bool usable = true;
    for (std::size_t m = 0; usable && m < kModels.size(); ++m) {
      all[m] = answer_of(program, kModels[m]);
      usable = all[m].usable;
    }
    if (!usable) continue;
    programs.push_back(program);
    answers.push_back(all);
  }
  const Compiled compiled(programs);
  long executions = 0;
  std::size_t misused = 0;
  for (std::size_t n = 0; n < programs.size(); ++n)
    for (std::size_t m = 0; m < kModels.size(); ++m) {
      const auto run = compiled.explore(n, kModels[m], n + m);
      const Answer& answer = answers[n][m];
      const std::string what =
          std::string(name_of(kModels[m])) + "\n" + print(programs[n]) + run.text;
      ASSERT_FALSE(run.result.is_null()) << what;
      if (is_misused(run)) {
        ++misused;
        continue;
      }
      EXPECT_EQ(run.complete(), answer.complete) << what;
      EXPECT_EQ(run.assume_blocked(), answer.assume_blocked) << what;
      EXPECT_EQ(run.blocked() + run.bounded(), 0) << what;
      EXPECT_EQ(printed(run.text), answer.outcomes) << what;
      executions += run.complete();
    }
  EXPECT_LT(misused, programs.size() / 2);
  RecordProperty("executions", std::to_string(executions));
}

// As many executions as `optimal` has, or more.
TEST(NativeRandom, ProgramsWithAtomicBlocksHaveTheOutcomesOfTheModel) {
  const std::size_t wanted = share_of(60);
  const std::uint64_t seed = seed_or(43);
  std::vector<Program> programs;
  std::vector<Answer> answers;
  for (std::uint64_t n = 0; programs.size() < wanted; ++n) {
    const Program program =
        generate(seed, n, {.blocks = true, .max_threads = 4, .max_operations = 9});
    if (!is_easy(program) || !has_blocks(program)) continue;
    Answer answer = answer_with_blocks(program);
    if (!answer.usable) continue;
    programs.push_back(program);
    answers.push_back(std::move(answer));
  }
  const Compiled compiled(programs);
  std::size_t misused = 0;
  for (std::size_t n = 0; n < programs.size(); ++n) {
    const auto run = compiled.explore(n, MemoryModel::kSc, n);
    const std::string what = print(programs[n]) + run.text;
    ASSERT_FALSE(run.result.is_null()) << what;
    if (is_misused(run)) {
      ++misused;
      continue;
    }
    EXPECT_GE(run.complete(), answers[n].complete) << what;
    EXPECT_EQ(run.blocked() + run.bounded(), 0) << what;
    Outcomes outcomes = printed(run.text);
    for (auto& [outcome, times] : outcomes) times = 1;
    for (auto& [outcome, times] : answers[n].outcomes) times = 1;
    EXPECT_EQ(outcomes, answers[n].outcomes) << what;
  }
  EXPECT_LT(misused, programs.size() / 2);
}

}  // namespace
}  // namespace mazur::model
