// naive, random and pct on the model machine.
#include <gtest/gtest.h>

#include <map>

#include "check/loop.h"
#include "explore/walks/naive.h"
#include "explore/walks/pct.h"
#include "explore/walks/random.h"
#include "machine/model/model_machine.h"
#include "machine/model/text.h"

namespace mazur::model {
namespace {

class Quiet : public Watcher {
 public:
  void failed(const Trace&, const Frontier&, const Failure&) override {}
};

Outcome run(const Program& program, Explorer& explorer, std::uint64_t executions = 0) {
  ModelMachine machine(program);
  Quiet quiet;
  return explore(machine, explorer, {.max_executions = executions, .keep_going = true}, quiet);
}

// Threads with so many loads of a variable of their own each.
Program independent(std::initializer_list<int> lengths) {
  Program p;
  std::uint16_t own = 0;
  for (int length : lengths) {
    p.of(ObjectClass::kVariable).push_back(0);
    p.threads.emplace_back();
    for (int i = 0; i < length; ++i)
      p.threads.back().code.push_back({.code = Code::kLoad, .place = {.base = own}});
    ++own;
  }
  return p;
}

std::uint64_t naive_executions(const Program& program) {
  const auto naive = make_naive({});
  const Outcome o = run(program, *naive);
  EXPECT_EQ(o.verdict, Verdict::kVerified);
  EXPECT_EQ(o.tally.blocked, 0u);
  return o.tally.complete;
}

TEST(Naive, RunsEveryInterleaving) {
  EXPECT_EQ(naive_executions(independent({1, 1})), 2u);
  EXPECT_EQ(naive_executions(independent({2, 3})), 10u);   // C(5, 2)
  EXPECT_EQ(naive_executions(independent({6, 6})), 924u);  // C(12, 6)
  EXPECT_EQ(naive_executions(independent({7, 0})), 1u);
  EXPECT_EQ(naive_executions(independent({2, 2, 2})), 90u);  // 6! / 2!^3
  EXPECT_EQ(naive_executions(independent({})), 1u);
}

TEST(Naive, RunsEveryChoice) {
  EXPECT_EQ(naive_executions(parse("thread\nchoose r0 3\nchoose r0 2\nthread\nyield")), 18u);
}

TEST(Naive, KnowsHowFarItIs) {
  const Program program = independent({3, 3});
  ModelMachine machine(program);
  const auto naive = make_naive({});
  struct Watch : Quiet {
    Explorer* explorer;
    double last = 0;
    void ended(const Trace&, const Tally&, End) override {
      EXPECT_GE(explorer->progress(), last);
      EXPECT_LT(explorer->progress(), 1);
      last = explorer->progress();
    }
  } watch;
  watch.explorer = naive.get();
  explore(machine, *naive, {}, watch);
  EXPECT_GT(watch.last, 0.8);
}

// Notes how often each schedule was run.
class Schedules : public Quiet {
 public:
  void ended(const Trace& trace, const Tally&, End end) override {
    EXPECT_EQ(end, End::kComplete);
    std::string schedule;
    for (const Event& e : trace.events()) {
      schedule.append(std::to_string(e.thread));
      if (e.ways > 1) schedule.append("/").append(std::to_string(e.choice));
    }
    ++counts[schedule];
    order.push_back(schedule);
  }
  std::map<std::string, int> counts;
  std::vector<std::string> order;
};

Schedules sample(const Program& program, Explorer& explorer, std::uint64_t executions) {
  ModelMachine machine(program);
  Schedules schedules;
  const Outcome o =
      explore(machine, explorer, {.max_executions = executions, .keep_going = true}, schedules);
  EXPECT_EQ(o.verdict, Verdict::kIncomplete);
  EXPECT_EQ(o.tally.complete, executions);
  return schedules;
}

TEST(RandomWalk, IsUniformOverThreadsAndOutcomes) {
  const Program p = parse("thread\nchoose r0 4\nthread\nyield");
  const auto walk = make_random({.seed = 5});
  const Schedules s = sample(p, *walk, 80'000);
  ASSERT_EQ(s.counts.size(), 8u);
  for (const auto& [schedule, count] : s.counts) EXPECT_NEAR(count, 10'000, 500) << schedule;
}

TEST(RandomWalk, RepeatsItselfForASeedOnly) {
  const Program p = independent({3, 3, 3});
  const auto order = [&](std::uint64_t seed) {
    return sample(p, *make_random({.seed = seed}), 50).order;
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
}

TEST(RandomWalk, NeverProvesAnything) {
  const auto walk = make_random({});
  EXPECT_FALSE(walk->standing().exhaustive());
  EXPECT_FALSE(walk->needs().order);
  EXPECT_EQ(walk->keep(), 0u);
}

TEST(Pct, WithDepthOneOnlyOrdersThreads) {
  const auto pct = make_pct({.seed = 3, .pct_depth = 1});
  const Schedules s = sample(independent({2, 2, 2}), *pct, 60'000);
  ASSERT_EQ(s.counts.size(), 6u);  // a thread runs to its end before another
  for (const auto& [schedule, count] : s.counts) EXPECT_NEAR(count, 10'000, 500) << schedule;
}

TEST(Pct, WithDepthTwoPreemptsOnce) {
  const auto pct = make_pct({.seed = 3, .pct_depth = 2});
  const Schedules s = sample(independent({2, 2}), *pct, 20'000);
  // All but 0101 and 1010, which need two changes.
  EXPECT_EQ(s.counts.size(), 4u);
  const auto deeper = make_pct({.seed = 3, .pct_depth = 3});
  EXPECT_EQ(sample(independent({2, 2}), *deeper, 20'000).counts.size(), 6u);
}

TEST(Pct, FindsABugOfItsDepthAsOftenAsPromised) {
  // Thread 1 must run between the two loads of thread 0: depth 2, 2 threads, 8 steps.
  const Program p = parse(R"(
    variables 0
    thread
      load r0 x0
      yield
      load r1 x0
      0: if r0 != 0 goto 6
      assert r1 == 0
      yield
    thread
      yield
      store x0 1
      yield
      yield
  )");
  const auto pct = make_pct({.seed = 9, .pct_depth = 2, .pct_steps = 8});
  const Outcome o = run(p, *pct, 10'000);
  EXPECT_GE(o.tally.failures, 10'000u / (2 * 8));
}

TEST(Pct, AYieldingThreadLetsTheOthersGo) {
  // Thread 0 spins until thread 1 has stored; whoever has the higher priority, both end.
  const Program p = parse(R"(
    variables 0
    thread
      0: yield
      1: load r0 x0
      2: if r0 == 0 goto 0
    thread
      store x0 1
  )");
  const auto pct = make_pct({.seed = 1, .pct_depth = 1});
  ModelMachine machine(p);
  Quiet quiet;
  const Outcome o = explore(machine, *pct, {.max_steps = 20, .max_executions = 1000}, quiet);
  EXPECT_EQ(o.tally.complete, 1000u);
}

TEST(Pct, RepeatsItselfForASeedOnly) {
  const Program p = independent({3, 3, 3});
  const auto order = [&](std::uint64_t seed) {
    return sample(p, *make_pct({.seed = seed}), 50).order;
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
}

}  // namespace
}  // namespace mazur::model
