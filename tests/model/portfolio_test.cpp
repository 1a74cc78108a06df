// The portfolio beside the exploration of a model program.
#include "check/portfolio/portfolio.h"

#include <gtest/gtest.h>

#include <string>

#include "check/loop.h"
#include "machine/model/model_machine.h"
#include "machine/model/text.h"

namespace mazur::model {
namespace {

// `threads` of them add one to a variable; one more must not come first. optimal, which changes the
// end of an execution first, comes to that order last.
Program race(unsigned threads) {
  std::string text = "variables 0\n";
  for (unsigned i = 0; i < threads; ++i) text += "thread\n  fetch_add r0 x0 1\n";
  text += "thread\n  fetch_add r0 x0 1\n  assert r0 != 0\n";
  return parse(text);
}

class Noting final : public Watcher {
 public:
  void failed(const Trace&, const Frontier&, const Failure&) override {
    ++(beside ? failures_beside : failures);
  }
  void ended(const Trace&, const Tally&, End) override {
    ++(beside ? executions_beside : executions);
  }
  void portfolio(bool runs, const Tally& so_far) override {
    EXPECT_NE(beside, runs);
    beside = runs;
    told = so_far;
  }
  bool beside = false;
  unsigned failures = 0, failures_beside = 0;
  std::uint64_t executions = 0, executions_beside = 0;
  Tally told;
};

struct Ran {
  Outcome outcome;
  Noting noting;
};

Ran explored(const Program& program, Bounds bounds) {
  ModelMachine machine(program);
  const auto optimal = make_explorer("optimal", {});
  Ran ran;
  ran.outcome = explore(machine, *optimal, bounds, ran.noting);
  return ran;
}

TEST(Portfolio, FindsWhatTheExplorationComesToLast) {
  const Program program = race(8);
  Bounds bounds{.max_executions = 4000};
  EXPECT_EQ(explored(program, bounds).outcome.verdict, Verdict::kIncomplete);
  bounds.portfolio = true;
  const Ran ran = explored(program, bounds);
  EXPECT_EQ(ran.outcome.verdict, Verdict::kBug);
  EXPECT_EQ(ran.noting.failures, 0u);
  EXPECT_EQ(ran.noting.failures_beside, 1u);
  EXPECT_FALSE(ran.noting.beside);
  EXPECT_EQ(ran.outcome.tally.failures, 0u);
  EXPECT_EQ(ran.outcome.portfolio.failures, 1u);
  EXPECT_EQ(ran.noting.told.total(), ran.outcome.portfolio.total());
  EXPECT_LE(ran.outcome.tally.total(), Portfolio::kLongExecutions);
}

TEST(Portfolio, LeavesShortExplorationsAlone) {
  const Program program = race(3);
  Bounds bounds{.keep_going = true, .portfolio = true};
  const Ran ran = explored(program, bounds);
  EXPECT_EQ(ran.outcome.tally.complete, 24u);
  EXPECT_EQ(ran.outcome.portfolio.total(), 0u);
  EXPECT_EQ(ran.noting.executions_beside, 0u);
}

// What is explored does not depend on it, and its share is small.
TEST(Portfolio, ChangesNothingAboutTheExploration) {
  const Program program = race(7);
  Bounds bounds{.keep_going = true};
  const Ran alone = explored(program, bounds);
  bounds.portfolio = true;
  const Ran ran = explored(program, bounds);
  EXPECT_EQ(alone.outcome.tally.complete, 40320u);
  EXPECT_EQ(ran.outcome.tally.complete, alone.outcome.tally.complete);
  EXPECT_EQ(ran.outcome.tally.events, alone.outcome.tally.events);
  EXPECT_EQ(ran.outcome.tally.failures, alone.outcome.tally.failures);
  EXPECT_EQ(ran.noting.failures, alone.noting.failures);
  EXPECT_EQ(ran.noting.executions, alone.noting.executions);
  EXPECT_GT(ran.noting.failures_beside, 0u);
  EXPECT_EQ(ran.noting.executions_beside, ran.outcome.portfolio.total());
  EXPECT_LT(ran.outcome.portfolio.events, ran.outcome.tally.events / 16);
}

// No clock decides what is run.
TEST(Portfolio, DoesTheSameEveryTime) {
  const Program program = race(7);
  const Bounds bounds{.max_executions = 5000, .keep_going = true, .portfolio = true};
  const Ran once = explored(program, bounds), twice = explored(program, bounds);
  EXPECT_GT(once.outcome.portfolio.total(), 100u);
  EXPECT_EQ(once.outcome.portfolio.total(), twice.outcome.portfolio.total());
  EXPECT_EQ(once.outcome.portfolio.events, twice.outcome.portfolio.events);
  EXPECT_EQ(once.noting.failures_beside, twice.noting.failures_beside);
}

}  // namespace
}  // namespace mazur::model
