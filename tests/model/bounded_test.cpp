// Bounded exploration against brute force over all schedules within the bound.
#include "bounded.h"

#include <gtest/gtest.h>

#include "check/loop.h"
#include "generate/generate.h"
#include "machine/model/model_machine.h"
#include "machine/model/text.h"
#include "verify.h"

namespace mazur::model {
namespace {

// What an explorer reaches, and what the loop says about it.
class Reached final : public Watcher {
 public:
  Reached(const Program& program, const std::string& name, const ExplorerOptions& options,
          std::uint32_t unroll = 0)
      : machine_(program), threads_(program.threads.size()) {
    const auto explorer = make_explorer(name, options);
    const Bounds bounds{
        .max_steps = 1000, .max_executions = 20'000, .unroll = unroll, .keep_going = true};
    outcome = explore(machine_, *explorer, bounds, *this);
  }

  void failed(const Trace&, const Frontier&, const Failure&) override {}
  void ended(const Trace& trace, const Tally&, End end) override {
    if (end == End::kBlocked) return;
    Causality causality(threads_);
    for (const Event& event : trace.events()) causality.append(event);
    classes.insert(causality.name());
    endings.insert(ending(machine_.state()));
  }

  std::set<ClassName> classes;
  std::set<Ending> endings;
  Outcome outcome;

 private:
  ModelMachine machine_;
  std::size_t threads_;
};

struct Case {
  ScheduleBound bound;
  unsigned most;
};

class Bounded : public testing::TestWithParam<Case> {};

// Every class, final state, failure and deadlock that some schedule reaches within the bound is
// reached, and nothing else; "verified" only if that is all there is.
TEST_P(Bounded, ReachesWhatTheBoundAllows) {
  const Case& c = GetParam();
  const ExplorerOptions options{.schedule_bound = c.bound, .most = c.most};
  unsigned checked = 0;
  unsigned cut = 0;
  unsigned deadlocks = 0;
  for (std::uint64_t number = 0; checked < 700; ++number) {
    const Program program =
        generate(77, number, {.messages = number % 4 == 3, .max_threads = 4, .max_operations = 9});
    const BoundedAnswer answer = brute_force_within(program, c.bound, c.most, 3000);
    if (!answer.complete) continue;
    ++checked;
    cut += answer.cut ? 1 : 0;
    for (const Ending& e : answer.endings) deadlocks += e.deadlock ? 1 : 0;
    const Reached bounded(program, "bounded", options);
    EXPECT_EQ(bounded.classes, answer.classes) << number << "\n" << print(program);
    EXPECT_EQ(bounded.endings, answer.endings) << number << "\n" << print(program);
    const bool claims_all = bounded.outcome.cuts.empty();
    EXPECT_TRUE(claims_all || answer.cut) << number << "\n" << print(program);
    if (claims_all && answer.cut) {
      // What goes beyond the bound is all equivalent to something that does not.
      const Answer all = brute_force(program, 100'000);
      EXPECT_TRUE(all.complete);
      EXPECT_EQ(bounded.classes.size(), all.classes.size()) << number << "\n" << print(program);
    }
    if (bounded.outcome.tally.failures == 0) {
      EXPECT_EQ(bounded.outcome.verdict, claims_all ? Verdict::kVerified : Verdict::kIncomplete);
    }
    const Reached naive(program, "naive", options);
    EXPECT_EQ(naive.outcome.tally.total(), answer.schedules) << number << "\n" << print(program);
    EXPECT_EQ(naive.endings, answer.endings) << number;
    EXPECT_EQ(naive.outcome.cuts.empty(), !answer.cut) << number;
    if (HasFailure()) break;
  }
  // The programs are such that the test says something.
  EXPECT_GT(deadlocks, 20u);
  EXPECT_GT(cut, c.most > 10 ? 0u : 100u);
}

INSTANTIATE_TEST_SUITE_P(
    Bounds, Bounded,
    testing::Values(Case{ScheduleBound::kPreemptions, 0}, Case{ScheduleBound::kPreemptions, 1},
                    Case{ScheduleBound::kPreemptions, 2}, Case{ScheduleBound::kPreemptions, 3},
                    Case{ScheduleBound::kDelays, 0}, Case{ScheduleBound::kDelays, 1},
                    Case{ScheduleBound::kDelays, 2}, Case{ScheduleBound::kDelays, 4}),
    [](const auto& info) {
      return (info.param.bound == ScheduleBound::kDelays ? "Delays" : "Preemptions") +
             std::to_string(info.param.most);
    });

// A bound that is never reached changes nothing: everything is explored, and it says so.
TEST(BoundedUnreached, IsAProof) {
  unsigned checked = 0;
  for (std::uint64_t number = 0; checked < 500; ++number) {
    const Program program =
        generate(78, number, {.messages = number % 4 == 3, .max_threads = 4, .max_operations = 9});
    const Answer answer = brute_force(program, 2000);
    if (!answer.complete) continue;
    ++checked;
    for (const ScheduleBound bound :
         {ScheduleBound::kNone, ScheduleBound::kPreemptions, ScheduleBound::kDelays}) {
      const Reached all(program, "bounded", {.schedule_bound = bound, .most = 1000});
      EXPECT_TRUE(all.outcome.cuts.empty());
      EXPECT_EQ(all.endings, answer.endings()) << number << "\n" << print(program);
      EXPECT_EQ(all.classes.size(), answer.classes.size()) << number;
      // Maximal executions are never repeated.
      EXPECT_EQ(all.outcome.tally.total() - all.outcome.tally.blocked, answer.classes.size());
    }
  }
}

// With --unroll the reducing explorers still reach all that naive reaches: a program whose loops
// are cut is a program.
TEST(Unroll, LosesNothingWithinTheBound) {
  unsigned cut = 0;
  unsigned checked = 0;
  for (std::uint64_t number = 0; checked < 600; ++number) {
    const Program program =
        generate(79, number, {.messages = number % 4 == 3, .max_threads = 3, .max_operations = 9});
    const Reached naive(program, "naive", {}, 1);
    if (naive.outcome.cuts.contains(Cut::kMaxExecutions)) continue;
    ++checked;
    cut += naive.outcome.cuts.contains(Cut::kUnroll) ? 1 : 0;
    for (const char* name : {"optimal", "source", "dpor", "bounded"}) {
      const Reached reduced(program, name, {}, 1);
      EXPECT_EQ(reduced.classes, naive.classes) << name << number << "\n" << print(program);
      EXPECT_EQ(reduced.endings, naive.endings) << name << number << "\n" << print(program);
      EXPECT_EQ(reduced.outcome.cuts.bits(), naive.outcome.cuts.bits()) << name << number;
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(cut, 20u);  // of loops, only those that race are cut
}

TEST(BoundedExplorer, IsTheOnlyOneBesideNaiveThatKeepsToABound) {
  const ExplorerOptions options{.schedule_bound = ScheduleBound::kPreemptions, .most = 2};
  for (const char* name : {"optimal", "source", "dpor", "random", "pct"})
    EXPECT_EQ(make_explorer(name, options), nullptr) << name;
}

}  // namespace
}  // namespace mazur::model
