// quasi on the programs of its paper. That all classes of random programs are visited, with k = 0
// each once and none blocked, is tested in tests/model.
#include <gtest/gtest.h>

#include "check/loop.h"
#include "explore/unfolding/structure/histogram.h"
#include "explore/walks/switch_cost.h"
#include "generate/generate.h"
#include "literature_programs.h"
#include "machine/model/model_machine.h"
#include "verify.h"

namespace mazur::model {
namespace {

constexpr std::uint64_t kMost = 1'000'000;

Explored explore_quasi(const Program& program, unsigned k, PickOrder pick = PickOrder::kContinue) {
  return explore_all(program, {.name = "quasi", .options = {.pick = pick, .quasi_k = k}}, kMost);
}

struct Case {
  const char* name;
  Program program;
  std::uint64_t traces;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class QuasiOn : public testing::TestWithParam<Case> {};

// k = 0 finds each trace once and is never blocked.
TEST_P(QuasiOn, OptimalWithKZero) {
  const Case& c = GetParam();
  const Explored quasi = explore_quasi(c.program, 0);
  EXPECT_EQ(quasi.complaint, "");
  EXPECT_EQ(quasi.complete, c.traces);
  EXPECT_EQ(quasi.classes.size(), c.traces);
  EXPECT_EQ(quasi.blocked, 0u);
}

// The number of complete executions is the same for every k, that of blocked ones falls with it.
TEST_P(QuasiOn, BlockedExecutionsFallWithK) {
  const Case& c = GetParam();
  std::uint64_t before = kMost;
  for (unsigned k = 1; k <= 3; ++k) {
    const Explored quasi = explore_quasi(c.program, k);
    EXPECT_EQ(quasi.complaint, "") << k;
    EXPECT_EQ(quasi.complete, c.traces) << k;
    EXPECT_EQ(quasi.classes.size(), c.traces) << k;
    EXPECT_LE(quasi.blocked, before) << k;
    before = quasi.blocked;
  }
}

using namespace literature;  // NOLINT: the programs, by name

INSTANTIATE_TEST_SUITE_P(Mutexes, QuasiOn,
                         testing::ValuesIn(std::vector<Case>{{"disp_5_2", disp(5, 2), 137},
                                                             {"disp_5_3", disp(5, 3), 1482},
                                                             {"mpat_4", mpat(4), 384},
                                                             {"mpat_5", mpat(5), 3840},
                                                             {"mpc_2_5", mpc(2, 5), 60},
                                                             {"mpc_3_5", mpc(3, 5), 2958},
                                                             {"pi_5", pi(5), 120},
                                                             {"pi_6", pi(6), 720},
                                                             {"poke_3_2", poke(3, 2), 33}}),
                         [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(SharedVariables, QuasiOn,
                         testing::ValuesIn(std::vector<Case>{
                             {"readers_8", readers(8), 256},
                             {"lastzero_5", lastzero(5), 64},
                             {"lastzero_7", lastzero(7), 320},
                             {"indexer_11", indexer(11), 1},
                             {"indexer_13", indexer(13), 64},
                             {"indexer_small_8", indexer_small(8), 64},
                             {"filesystem_13", filesystem(13), 1},
                             {"filesystem_16", filesystem(16), 8},
                             {"wakeup_stress_6", wakeup_stress(6), 1440},
                             {"groups_5", groups(5), 21},
                             {"ring_8", ring(8), 255},
                             {"inc_5_1", inc(5, 1), 14400},
                             {"inc_3_2", inc(3, 2), 7134},
                             {"readers_writers_10", readers_writers(10), 1024},
                             {"branching_2", branching(2), 11},
                             {"branching_3", branching(3), 28},
                             {"branching_4", branching(4), 103}}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Quasi, LargerPrograms) {
  const Explored optimal = explore_quasi(poke(7, 3), 0);
  EXPECT_EQ(optimal.complete, 2440u);
  EXPECT_EQ(optimal.blocked, 0u);
  EXPECT_EQ(explore_quasi(poke(7, 3), 2).complete, 2440u);
}

// Figure 1: with k = 2 it is optimal, for any number of writers. Source-DPOR is not.
TEST(Quasi, EntangledRacesNeedTwo) {
  for (int n = 2; n <= 15; ++n) {
    const Explored two = explore_quasi(entangled(n), 2);
    EXPECT_EQ(two.complete, 2u * static_cast<unsigned>(n)) << n;
    EXPECT_EQ(two.blocked, 0u) << n;
  }
  std::uint64_t before = 0;
  for (int n = 2; n <= 9; ++n) {
    const Explored source = explore_all(
        entangled(n), {.name = "source", .options = {.pick = PickOrder::kLowest}}, kMost);
    EXPECT_GT(source.blocked, 2 * before) << n;
    before = source.blocked;
  }
}

// quasi with a bound on context switches; notes how many preemptions the executions have.
class Counting final : public Explorer {
 public:
  explicit Counting(std::uint32_t most)
      : quasi_(make_explorer("quasi", {.schedule_bound = ScheduleBound::kContexts, .most = most})) {
  }
  MaybeStep choose(const Trace& trace, const Frontier& frontier) override {
    const auto step = quasi_->choose(trace, frontier);
    costs_.resize(trace.size());
    if (!step) return step;
    const std::uint32_t before = costs_.empty() ? 0 : costs_.back();
    costs_.push_back(before + preemptions(trace, frontier, step->thread));
    worst = std::max(worst, costs_.back());
    return step;
  }
  bool plan(const Trace& trace, const Frontier& frontier, End end) override {
    return quasi_->plan(trace, frontier, end);
  }
  std::size_t keep() const override { return quasi_->keep(); }
  bool blocked() const override { return quasi_->blocked(); }
  Standing standing() const override { return quasi_->standing(); }

  std::uint32_t worst = 0;

 private:
  std::unique_ptr<Explorer> quasi_;
  std::vector<std::uint32_t> costs_;
};

class Nothing final : public Watcher {
 public:
  void failed(const Trace&, const Frontier&, const Failure&) override {}
};

Outcome explore_within(const Program& program, std::uint32_t most) {
  ModelMachine machine(program);
  Counting quasi(most);
  Nothing nothing;
  const Outcome outcome = explore(machine, quasi, {.keep_going = true}, nothing);
  EXPECT_LE(quasi.worst, most);
  EXPECT_EQ(outcome.tally.blocked, 0u);
  return outcome;
}

TEST(Quasi, ABoundOnContextSwitchesIsKept) {
  std::uint64_t before = 0;
  for (std::uint32_t most : {0u, 3u, 6u, 8u}) {
    const Outcome outcome = explore_within(disp(5, 2), most);
    EXPECT_EQ(outcome.verdict, Verdict::kIncomplete) << most;
    EXPECT_TRUE(outcome.cuts.contains(Cut::kContexts)) << most;
    EXPECT_GE(outcome.tally.complete, std::max<std::uint64_t>(before, 1)) << most;
    EXPECT_LT(outcome.tally.complete, 137u) << most;
    before = outcome.tally.complete;
  }
  const Outcome all = explore_within(disp(5, 2), 1000);
  EXPECT_EQ(all.verdict, Verdict::kVerified);
  EXPECT_TRUE(all.cuts.empty());
  EXPECT_EQ(all.tally.complete, 137u);
  // Where nothing was cut off, nothing is missing.
  for (std::uint64_t number = 0; number < 200; ++number) {
    const Program program = generate(17, number, {.max_operations = 8});
    const std::uint64_t traces = explore_quasi(program, 0).complete;
    for (std::uint32_t most : {2u, 5u}) {
      const Outcome outcome = explore_within(program, most);
      EXPECT_LE(outcome.tally.complete + outcome.tally.assume_blocked, traces);
      if (outcome.cuts.empty()) {
        EXPECT_EQ(outcome.tally.complete + outcome.tally.assume_blocked, traces);
      }
    }
  }
}

TEST(Quasi, OnlyItKnowsThatBound) {
  const ExplorerOptions options{.schedule_bound = ScheduleBound::kContexts, .most = 2};
  EXPECT_NE(make_explorer("quasi", options), nullptr);
  for (const char* name : {"optimal", "source", "naive", "bounded", "lazy", "random"})
    EXPECT_EQ(make_explorer(name, options), nullptr) << name;
}

TEST(Quasi, StatisticsSayHowDeepAndHowFar) {
  const Program program = disp(5, 2);
  ModelMachine machine(program);
  const auto quasi = make_explorer("quasi", {.statistics = true});
  Nothing nothing;
  explore(machine, *quasi, {}, nothing);
  const std::string text = quasi->statistics();
  for (const char* part :
       {"events: ", "alternatives: ", "136 found", "thread trees: 8;",
        "object trees: ", "trees by greatest depth ", "causality asked ", "conflict asked ",
        "by distance 0: ", "searching alternatives", "(running the program)"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST(Quasi, HistogramsAreOfPowersOfTwo) {
  unfolding::Histogram histogram;
  EXPECT_EQ(histogram.text(), "none");
  for (std::uint32_t n : {0u, 1u, 2u, 3u, 4u, 5u, 8u, 16u}) histogram.add(n);
  EXPECT_EQ(histogram.text(), "0: 12.5%, 1: 12.5%, 2: 12.5%, 3-4: 25.0%, 5-8: 25.0%, 9-16: 12.5%");
  EXPECT_EQ(histogram.largest(), 16u);
  EXPECT_DOUBLE_EQ(histogram.average(), 39.0 / 8);
}

TEST(Quasi, EveryOrderOfPickingGivesTheSameTraces) {
  for (PickOrder pick : {PickOrder::kContinue, PickOrder::kLowest, PickOrder::kHighest,
                         PickOrder::kRoundRobin, PickOrder::kRandom}) {
    EXPECT_EQ(explore_quasi(disp(5, 2), 0, pick).complete, 137u);
    EXPECT_EQ(explore_quasi(entangled(6), 2, pick).blocked, 0u);
    EXPECT_EQ(explore_quasi(wakeup_stress(4), 0, pick).complete, 48u);
  }
}

}  // namespace
}  // namespace mazur::model
