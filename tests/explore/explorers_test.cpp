// Counts of executions that are known, promises that the explorers make, and sizes.
// That all classes of random programs are visited is tested in tests/model.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "explore/registry.h"
#include "literature_programs.h"
#include "machine/model/model_machine.h"
#include "machine/model/text.h"
#include "run_all.h"

namespace mazur {
namespace {

using model::Program;
namespace literature = model::literature;

constexpr PickOrder kOrders[] = {PickOrder::kContinue, PickOrder::kLowest, PickOrder::kHighest,
                                 PickOrder::kRoundRobin, PickOrder::kRandom};

// `look` sees the explorer after every execution.
Count run(const Program& program, std::string_view name, ExplorerOptions options = {},
          const std::function<void(const Explorer&)>& look = {}) {
  model::ModelMachine machine(program);
  const auto explorer = make_explorer(name, options);
  return run_all(machine, *explorer, [&] {
    if (look) look(*explorer);
  });
}

TEST(Explorers, AreMadeByName) {
  for (const std::string_view name : explorer_names())
    EXPECT_NE(make_explorer(name, {}), nullptr) << name;
  EXPECT_EQ(explorer_names().front(), "optimal");
  EXPECT_EQ(make_explorer("", {}), nullptr);
  EXPECT_EQ(make_explorer("Optimal", {}), nullptr);
}

TEST(Explorers, KeepToTheBoundsThatTheirRowNames) {
  for (const ScheduleBound bound :
       {ScheduleBound::kPreemptions, ScheduleBound::kDelays, ScheduleBound::kContexts})
    for (const ExplorerEntry& entry : explorer_registry()) {
      const auto explorer = make_explorer(entry.name, {.schedule_bound = bound, .most = 2});
      EXPECT_EQ(explorer != nullptr, entry.keeps_to(bound)) << entry.name;
    }
}

TEST(Explorers, AnEmptyProgramHasOneExecution) {
  Program program;
  program.threads.resize(2);
  for (const char* name : {"optimal", "source", "dpor"}) EXPECT_EQ(run(program, name).complete, 1u);
}

TEST(Optimal, EveryOrderOfPickingGivesTheSameCounts) {
  const std::pair<Program, std::uint64_t> cases[] = {
      {literature::readers(6), 64},   {literature::lastzero(8), 704},
      {literature::groups(4), 17},    {literature::entangled(6), 12},
      {literature::ring(6), 63},      {literature::wakeup_stress(4), 48},
      {literature::mpat(3), 48},      {literature::disp(5, 2), 137},
      {literature::branching(4), 103}};
  for (const auto& [program, classes] : cases) {
    for (PickOrder pick : kOrders) {
      const Count count = run(program, "optimal", {.pick = pick, .seed = 5});
      EXPECT_EQ(count.complete, classes);
      EXPECT_EQ(count.blocked, 0u);
    }
  }
}

TEST(Optimal, OutcomesAreBranches) {
  const Program program = model::parse(
      "variables 0\n"
      "thread\n  0: choose r0 3\n  1: choose r1 2\n  2: store x0 r0\n"
      "thread\n  0: load r0 x0\n");
  for (const char* name : {"optimal", "source", "dpor"}) {
    const Count count = run(program, name);
    EXPECT_GE(count.complete, 12u) << name;  // 6 outcomes, and the load before or after the store
    if (name != std::string_view("dpor")) {
      EXPECT_EQ(count.complete, 12u) << name;
    }
  }
}

TEST(Optimal, ASignalWakesEveryWaiterInSomeExecution) {
  const Program program = model::parse(
      "mutexes 1\nconditions 1\n"
      "thread\n  0: lock m0\n  1: wait c0 m0\n  2: unlock m0\n"
      "thread\n  0: lock m0\n  1: wait c0 m0\n  2: unlock m0\n"
      "thread\n  0: lock m0\n  1: signal c0\n  2: unlock m0\n");
  // Orders of the three critical sections: the signal is first (2 orders of the others), in the
  // middle (2: who sleeps is woken, before or after the third: 2 x 2), or last (2 orders x 2
  // wakings).
  std::uint64_t classes = 0;
  for (PickOrder pick : kOrders) {
    const Count count = run(program, "optimal", {.pick = pick});
    EXPECT_EQ(count.blocked, 0u);
    if (classes == 0) classes = count.complete;
    EXPECT_EQ(count.complete, classes);
  }
  EXPECT_EQ(classes, 10u);
}

TEST(Dpor, ReadersWithSleepSets) {
  // JACM Table 4.
  std::uint64_t power = 1;
  for (int n = 1; n <= 8; ++n) {
    power *= 3;
    EXPECT_EQ(run(literature::readers(n), "dpor").total(), (power + 1) / 2) << n;
  }
}

TEST(Dpor, BranchingWithoutSleepSets) {
  // The LazyPOR thesis, which picks the first enabled thread.
  const ExplorerOptions options{.sleep_sets = false, .pick = PickOrder::kLowest};
  EXPECT_EQ(run(literature::branching(2), "dpor", options).complete, 23u);
  EXPECT_EQ(run(literature::branching(3), "dpor", options).complete, 299u);
  EXPECT_EQ(run(literature::branching(4), "dpor", options).complete, 5731u);
}

// What races with the load was not there when the load was run, but the thread that creates it was:
// that one is tried first, and the store that has nothing to do with it is not.
TEST(Dpor, TriesWhatLeadsToTheRace) {
  const Program program = model::parse(
      "variables 0 0\n"
      "thread\n  0: load r0 x0\n"
      "thread\n  0: spawn t2\n"
      "thread spawned\n  0: store x0 1\n"
      "thread\n  0: store x1 1\n");
  const ExplorerOptions options{.sleep_sets = false, .pick = PickOrder::kLowest};
  EXPECT_EQ(run(program, "dpor", options).complete, 3u);
}

// Without a look at what is in the backtrack set already there are 886.
TEST(Dpor, OneThreadOfTheBacktrackSetIsEnoughForSeveralRaces) {
  const ExplorerOptions options{.sleep_sets = false, .pick = PickOrder::kLowest};
  EXPECT_EQ(run(literature::disp(2, 2), "dpor", options).complete, 487u);
}

TEST(Source, BlocksWhereThePaperSaysSo) {
  // Figure 3 and Table 1, n = 1: five classes, three more executions blocked by sleep sets.
  EXPECT_EQ(run(literature::groups(1), "source").complete, 5u);
  EXPECT_EQ(run(literature::groups(1), "source").blocked, 3u);
  // Growing with n.
  std::uint64_t before = 3;
  for (int n = 2; n <= 6; ++n) {
    const Count count = run(literature::groups(n), "source");
    EXPECT_EQ(count.complete, 4u * static_cast<unsigned>(n) + 1);
    EXPECT_GT(count.blocked, before);
    before = count.blocked;
  }
  // Enough for these without any.
  EXPECT_EQ(run(literature::readers(8), "source").blocked, 0u);
  EXPECT_EQ(run(literature::wakeup_stress(5), "source").blocked, 0u);
}

TEST(Explorers, ProgressGrowsFromNothingToEverything) {
  for (const char* name : {"optimal", "source", "dpor"}) {
    EXPECT_EQ(make_explorer(name, {})->progress(), 0.0) << name;
    std::vector<double> estimates;
    run(literature::inc(3, 2), name, {},
        [&](const Explorer& explorer) { estimates.push_back(explorer.progress()); });
    ASSERT_GT(estimates.size(), 7000u) << name;
    // It falls when a branch is found near the root, which may double what there is to do.
    for (std::size_t i = 1; i < estimates.size(); ++i) {
      ASSERT_GE(estimates[i], 0.0);
      ASSERT_LE(estimates[i], 1.0);
      if (i > 100) {
        ASSERT_GT(estimates[i], estimates[i - 1] / 3) << name << ' ' << i;
      }
    }
    EXPECT_LT(estimates[0], 0.5) << name;
    EXPECT_EQ(estimates.back(), 1.0) << name;
    EXPECT_GT(estimates[estimates.size() * 3 / 4], 0.2) << name;
    EXPECT_LT(estimates[estimates.size() / 4], 0.8) << name;
  }
}

// 2^4 classes of executions of n events each.
Program few_races(int n) {
  std::string text = "variables 0 0 0 0 0 0 0 0 0 0 0 0\n";
  for (int t = 0; t < 8; ++t) {
    const std::string own = std::to_string(4 + t);
    text += "thread\n  0: store x" + own + " 1\n  1: loop r0 < " + std::to_string(n / 8) +
            " goto 0\n  2: store x" + std::to_string(t / 2) + " 1\n";
  }
  return model::parse(text);
}

TEST(Optimal, LongExecutions) {
  EXPECT_EQ(run(few_races(10000), "optimal").complete, 16u);
  EXPECT_EQ(run(few_races(10000), "source").complete, 16u);
}

}  // namespace
}  // namespace mazur
