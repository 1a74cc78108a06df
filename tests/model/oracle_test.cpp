// Brute force on programs whose answer is known by hand, and its happens-before against src/trace.
#include "oracle.h"

#include <gtest/gtest.h>

#include "diamond.h"
#include "explore/walks/random.h"
#include "generate/generate.h"
#include "machine/model/model_machine.h"
#include "machine/model/text.h"
#include "trace/dependence.h"
#include "trace/trace.h"

namespace mazur::model {
namespace {

Answer answer(const char* text) {
  const Program program = parse(text);
  Answer a = brute_force(program, 100'000);
  EXPECT_TRUE(a.complete);
  EXPECT_EQ(a.inconsistent, "");
  return a;
}

TEST(Oracle, CountsClassesAndSchedules) {
  const Answer a = answer(R"(
    variables 0 0
    thread
      store x0 1
      load r0 x1
    thread
      store x1 1
      load r0 x0
  )");
  EXPECT_EQ(a.classes.size(), 3u);
  EXPECT_EQ(a.schedules, 6u);
}

TEST(Oracle, ReadsCommute) {
  const Answer a =
      answer("variables 0\nthread\nload r0 x0\nthread\nload r0 x0\nthread\nload r0 x0");
  EXPECT_EQ(a.classes.size(), 1u);
  EXPECT_EQ(a.schedules, 6u);
}

TEST(Oracle, FindsTheDeadlockOfTwoLocks) {
  const Answer a = answer(R"(
    mutexes 2
    thread
      lock m0
      lock m1
      unlock m1
      unlock m0
    thread
      lock m1
      lock m0
      unlock m0
      unlock m1
  )");
  EXPECT_EQ(a.classes.size(), 3u);
  int deadlocks = 0;
  for (const auto& [name, end] : a.classes) deadlocks += end.deadlock;
  EXPECT_EQ(deadlocks, 1);
}

TEST(Oracle, PostsCommuteAndWaitsDoNot) {
  EXPECT_EQ(answer("semaphores 0\nthread\nsempost s0\nthread\nsempost s0").classes.size(), 1u);
  EXPECT_EQ(answer("semaphores 2\nthread\nsemwait s0\nthread\nsemwait s0").classes.size(), 2u);
  // Either post may come before the wait, alone or with the other: {a}, {b}, {a, b}.
  EXPECT_EQ(answer("semaphores 0\nthread\nsempost s0\nthread\nsempost s0\nthread\nsemwait s0")
                .classes.size(),
            3u);
}

TEST(Oracle, ArrivalsOfOnePhaseCommute) {
  EXPECT_EQ(answer("barriers 2\nthread\nbarrier b0\nthread\nbarrier b0").classes.size(), 1u);
  // Which of three is left alone.
  const Answer a = answer("barriers 2\nthread\nbarrier b0\nthread\nbarrier b0\nthread\nbarrier b0");
  EXPECT_EQ(a.classes.size(), 3u);
  for (const auto& [name, end] : a.classes) EXPECT_TRUE(end.deadlock);
}

TEST(Oracle, ChoicesAreClasses) {
  const Answer a = answer("variables 0\nthread\nchoose r0 3\nstore x0 r0\nthread\nload r0 x0");
  EXPECT_EQ(a.classes.size(), 6u);
}

TEST(Oracle, LostWakeUpIsADeadlock) {
  const Answer a = answer(R"(
    mutexes 1
    conditions 1
    thread
      lock m0
      wait c0 m0
      unlock m0
    thread
      signal c0
  )");
  EXPECT_EQ(a.classes.size(), 2u);
  int deadlocks = 0;
  for (const auto& [name, end] : a.classes) deadlocks += end.deadlock;
  EXPECT_EQ(deadlocks, 1);
}

TEST(Oracle, TellsAssertionsAssumesAndDeadlocksApart) {
  const Answer a = answer(R"(
    variables 0
    thread
      load r0 x0
      assert r0 == 0
    thread
      load r0 x0
      assume r0 == 0
    thread
      store x0 1
  )");
  EXPECT_EQ(a.classes.size(), 4u);
  int failures = 0;
  int assumed_away = 0;
  for (const auto& [name, end] : a.classes) {
    failures += end.failure;
    assumed_away += end.assumed_away;
    EXPECT_FALSE(end.deadlock);
  }
  EXPECT_EQ(failures, 2);
  EXPECT_EQ(assumed_away, 2);
}

TEST(Oracle, GivesUpOnWhatIsTooLarge) {
  const Program p = parse(R"(
    variables 0
    thread
      store x0 1
      store x0 2
    thread
      store x0 3
      store x0 4
  )");
  EXPECT_FALSE(brute_force(p, 5).complete);
  EXPECT_FALSE(brute_force(p, 100, 3).complete);
  EXPECT_TRUE(brute_force(p, 100, 5).complete);
}

TEST(Oracle, StepsThatDoNotConflictCommute) {
  for (std::uint64_t n = 0; n < 5'000; ++n) {
    const Program program = generate(31, n);
    ASSERT_EQ(broken_diamond(program, 300), "") << print(program);
  }
}

// Runs one random execution of each of many programs and hands its trace to `check`.
template <typename Check>
void random_executions(std::uint64_t programs, const Check& check) {
  for (std::uint64_t n = 0; n < programs; ++n) {
    const Program program = generate(21, n);
    ModelMachine machine(program);
    const auto walk = make_random({.seed = n});
    Trace trace;
    Causality causality(program.threads.size());
    machine.restart();
    while (const auto step = walk->choose(trace, machine.frontier())) {
      const Event event = machine.run(*step);
      trace.append(event);
      causality.append(event);
    }
    check(program, trace, causality);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Oracle, AgreesWithTraceOnDependence) {
  random_executions(5'000, [](const Program& program, const Trace& trace, const Causality&) {
    for (EventIndex f = 0; f < trace.size(); ++f)
      for (EventIndex e = 0; e < f; ++e) {
        if (trace[e].thread == trace[f].thread) continue;
        // A wake depends on the signals that woke it, and labels alone do not say who wakes up.
        const auto wakes = [](const Event& x) {
          return x.label.kind == OpKind::kCondWake || x.label.kind == OpKind::kFutexWoken;
        };
        if (wakes(trace[e]) || wakes(trace[f])) continue;
        ASSERT_EQ(dependent(trace[e].label, trace[f].label), conflict(trace[e], trace[f]))
            << "events " << e << " and " << f << " of\n"
            << print(program);
      }
  });
}

TEST(Oracle, AgreesWithTraceOnHappensBefore) {
  random_executions(5'000, [](const Program& program, const Trace& trace, const Causality& order) {
    for (EventIndex f = 0; f < trace.size(); ++f)
      for (EventIndex e = 0; e <= f; ++e)
        ASSERT_EQ(trace.happens_before(e, f), order.happens_before(e, f))
            << "events " << e << " and " << f << " of\n"
            << print(program);
  });
}

}  // namespace
}  // namespace mazur::model
