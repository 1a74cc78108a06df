// Arrivals at barriers in execution graphs: they commute as long as that is right.
#include <gtest/gtest.h>

#include "check/loop.h"
#include "explore/graph/graph.h"
#include "literature_programs.h"
#include "machine/model/model_machine.h"
#include "machine/model/text.h"
#include "weak_verify.h"

namespace mazur::model {
namespace {

struct Explored {
  Outcome outcome;
  unsigned restarts = 0;
};

class Ignored final : public Watcher {
 public:
  void failed(const Trace&, const Frontier&, const Failure&) override {}
};

Explored explore_graph(const Program& program) {
  ModelMachine machine(program);
  const auto explorer = make_graph({});
  Ignored ignored;
  Explored run{.outcome = explore(machine, *explorer, Bounds{.max_steps = 1000}, ignored)};
  run.restarts = explorer->standing().restarts;
  return run;
}

TEST(Barriers, ArrivalsCommute) {
  const std::uint64_t traces[] = {2, 4, 12, 48, 240};
  for (int n = 1; n <= 5; ++n) {
    const Explored run = explore_graph(literature::wakeup_stress(n));
    EXPECT_EQ(run.outcome.verdict, Verdict::kVerified) << n;
    EXPECT_EQ(run.outcome.tally.complete, traces[n - 1]) << n;
    EXPECT_EQ(run.restarts, 0u) << n;
  }
}

TEST(Barriers, PhasesOfAllVisitorsHaveNoOrderOfArrivals) {
  const Explored run =
      explore_graph(parse("barriers 3\n"
                          "thread\n barrier b0\n barrier b0\n"
                          "thread\n barrier b0\n barrier b0\n"
                          "thread\n barrier b0\n barrier b0\n"));
  EXPECT_EQ(run.outcome.tally.complete, 1u);
  EXPECT_EQ(run.restarts, 0u);
}

struct Crowd {
  const char* name;
  const char* text;
  friend void PrintTo(const Crowd& crowd, std::ostream* out) { *out << crowd.name; }
};

// The order matters, and all orders are explored: what threads see behind the barrier tells.
const Crowd kCrowds[] = {
    {"MoreThreadsThanPlaces", R"(
      barriers 2
      variables 0
      thread
        barrier b0
        store x0 1
      thread
        barrier b0
        load r0 x0
      thread
        barrier b0
        load r0 x0
      )"},
    {"AThreadThatComesAgain", R"(
      barriers 2
      variables 0
      thread
        arrive b0
        arrive b0
        store x0 1
      thread
        barrier b0
        load r0 x0
      )"},
    {"TheCrowdIsSeenLate", R"(
      barriers 2
      variables 0
      thread
        0: load r0 x0
        1: if r0 == 0 goto 3
        2: barrier b0
      thread
        store x0 1
        barrier b0
      thread
        barrier b0
      )"},
};

class Crowds : public testing::TestWithParam<Crowd> {};

TEST_P(Crowds, AreExploredInAllOrders) {
  const Program program = parse(GetParam().text);
  EXPECT_EQ(explore_graph(program).restarts, 1u);
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    EXPECT_EQ(verify_weak(program, seed, 10'000).what, "");
}

INSTANTIATE_TEST_SUITE_P(All, Crowds, testing::ValuesIn(kCrowds),
                         [](const auto& crowd) { return std::string(crowd.param.name); });

}  // namespace
}  // namespace mazur::model
