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
#include "run_mazur.h"
#include "weak_verify.h"

namespace mazur::model {
namespace {

constexpr std::size_t kMostGraphs = 300;

// What programs may do here: what is easy to write in C.
bool is_easy(const Program& program) {
  for (const Thread& thread : program.threads) {
    if (thread.spawned) return false;
    for (std::size_t i = 0; i < thread.code.size(); ++i) {
      const Instruction& in = thread.code[i];
      switch (in.code) {
        case Code::kLoad:
        case Code::kStore:
        case Code::kFetchAdd:
        case Code::kCas:
        case Code::kFence:
        case Code::kLock:
        case Code::kTryLock:
        case Code::kUnlock:
        case Code::kRdLock:
        case Code::kWrLock:
        case Code::kRwUnlock:
        case Code::kSemWait:
        case Code::kSemTryWait:
        case Code::kSemPost:
        case Code::kChoose:
        case Code::kYield:
        case Code::kSet:
        case Code::kAdd:
        case Code::kLoop:
        case Code::kAssume:
        case Code::kAtomicBegin:
        case Code::kAtomicEnd:
          break;
        case Code::kIf:
          if (in.target <= i) return false;
          break;
        default:
          return false;
      }
    }
  }
  return true;
}

std::string value(const Value& v) {
  return v.reg == kNoRegister ? std::to_string(v.constant)
                              : "r[" + std::to_string(v.reg) + "] + " + std::to_string(v.constant);
}

std::string statement(const Program& program, const Instruction& in) {
  const auto place = [&](const char* array) {
    const std::size_t count = program.of(form(in.code).of_place).size();
    const std::string index =
        in.place.index == kNoRegister ? "0" : "r[" + std::to_string(in.place.index) + "]";
    return std::string(array) + "[at(" + std::to_string(in.place.base) + ", " + index + ", " +
           std::to_string(count) + ")]";
  };
  constexpr const char* kOperators[] = {" == ", " != ", " < ", " >= "};
  const std::string reg = "r[" + std::to_string(in.reg) + "]";
  const std::string to = reg + " = ";
  const std::string order = ", " + std::to_string(in.order) + ");";
  const std::string test =
      reg + kOperators[static_cast<std::size_t>(in.comparison)] + std::to_string(in.value.constant);
  const std::string target = " goto at" + std::to_string(in.target) + ";";
  switch (in.code) {
    case Code::kLoad:
      return to + "__atomic_load_n(&" + place("x") + order;
    case Code::kStore:
      return "__atomic_store_n(&" + place("x") + ", " + value(in.value) + order;
    case Code::kFetchAdd:
      return to + "__atomic_fetch_add(&" + place("x") + ", " + value(in.value) + order;
    case Code::kCas: {
      const int failure = in.order == __ATOMIC_RELEASE   ? __ATOMIC_RELAXED
                          : in.order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE
                                                         : in.order;
      return "{ int expected = " + value(in.value) + "; " + to + "__atomic_compare_exchange_n(&" +
             place("x") + ", &expected, " + value(in.value2) + ", 0, " + std::to_string(in.order) +
             ", " + std::to_string(failure) + "); }";
    }
    case Code::kFence:
      return "__atomic_thread_fence(" + std::to_string(in.order) + ");";
    case Code::kLock:
      return "pthread_mutex_lock(&" + place("m") + ");";
    case Code::kTryLock:
      return to + "pthread_mutex_trylock(&" + place("m") + ") == 0;";
    case Code::kUnlock:
      return "pthread_mutex_unlock(&" + place("m") + ");";
    case Code::kRdLock:
      return "pthread_rwlock_rdlock(&" + place("w") + ");";
    case Code::kWrLock:
      return "pthread_rwlock_wrlock(&" + place("w") + ");";
    case Code::kRwUnlock:
      return "pthread_rwlock_unlock(&" + place("w") + ");";
    case Code::kSemWait:
      return "sem_wait(&" + place("s") + ");";
    case Code::kSemTryWait:
      return to + "sem_trywait(&" + place("s") + ") == 0;";
    case Code::kSemPost:
      return "sem_post(&" + place("s") + ");";
    case Code::kChoose:
      return to + "mazur_choose(" + std::to_string(in.ways) + ");";
    case Code::kYield:
      return "sched_yield();";
    case Code::kSet:
      return to + value(in.value) + ";";
    case Code::kAdd:
      return reg + " += " + value(in.value) + ";";
    case Code::kAtomicBegin:
      return "mazur_atomic_begin();";
    case Code::kAtomicEnd:
      return "mazur_atomic_end();";
    case Code::kIf:
      return "if (" + test + ")" + target;
    case Code::kLoop:
      return "if (++" + test.substr(0, reg.size()) + " < " + std::to_string(in.value.constant) +
             ")" + target;
    default:
      return "mazur_assume(" + test + ");";
  }
}

// One C program for all of them: its argument is the number. It prints how each execution ends.
std::string as_c(const std::vector<Program>& programs) {
  std::ostringstream out;
  out << R"(#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <mazur/mazur.h>
static int x[16];
static pthread_mutex_t m[16];
static pthread_rwlock_t w[16];
static sem_t s[16];
static int all[8][8];
static int at(long base, long index, long count) {
  const long i = (base + index) % count;
  return i < 0 ? i + count : i;
}
)";
  for (std::size_t n = 0; n < programs.size(); ++n) {
    const Program& p = programs[n];
    for (std::size_t t = 0; t < p.threads.size(); ++t) {
      out << "static void* code" << n << "_" << t << "(void* of) { int* r = of; (void)r;\n";
      const auto& code = p.threads[t].code;
      for (std::size_t i = 0; i < code.size(); ++i)
        out << "  at" << i << ": " << statement(p, code[i]) << "\n";
      out << "  at" << code.size() << ": return 0;\n}\n";
    }
    out << "static void program" << n << "() {\n";
    const auto initially = [&](ObjectClass c, const char* before, const char* after) {
      for (std::size_t i = 0; i < p.of(c).size(); ++i)
        out << "  " << before << "[" << i << "]" << after << p.of(c)[i] << ");\n";
    };
    initially(ObjectClass::kVariable, "(x", " = ");
    initially(ObjectClass::kSemaphore, "sem_init(&s", ", 0, ");
    initially(ObjectClass::kMutex, "pthread_mutex_init(&m", ", (void*)");
    initially(ObjectClass::kRwLock, "pthread_rwlock_init(&w", ", (void*)");
    out << "  pthread_t thread[8];\n";
    for (std::size_t t = 0; t < p.threads.size(); ++t)
      out << "  pthread_create(&thread[" << t << "], 0, code" << n << "_" << t << ", all[" << t
          << "]);\n";
    for (std::size_t t = 0; t < p.threads.size(); ++t)
      out << "  pthread_join(thread[" << t << "], 0);\n";
    out << "  printf(\"@\");\n  for (int i = 0; i < " << p.of(ObjectClass::kVariable).size()
        << "; ++i) printf(\" %d\", x[i]);\n  for (int t = 0; t < " << p.threads.size()
        << "; ++t) for (int i = 0; i < 8; ++i) printf(\" %d\", all[t][i]);\n"
        << "  printf(\"\\n\");\n}\n";
  }
  out << "int main(int argc, char** argv) {\n  switch (atoi(argv[1])) {\n";
  for (std::size_t n = 0; n < programs.size(); ++n)
    out << "    case " << n << ": program" << n << "(); break;\n";
  out << "  }\n  (void)argc;\n  return 0;\n}\n";
  return out.str();
}

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
