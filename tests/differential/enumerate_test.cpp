// The enumeration itself: numbers that are known, and the definitions taken word for word.
#include "enumerate.h"

#include <gtest/gtest.h>

#include <set>
#include <span>
#include <vector>

#include "generate.h"
#include "write_c.h"

namespace differential {
namespace {

constexpr Effort kAll{.prefixes = 100'000, .main_first = false};

Statement load(int object, int reg) { return {.kind = Kind::kLoad, .object = object, .reg = reg}; }
Statement store(int object, int constant) {
  return {.kind = Kind::kStore, .object = object, .a = {-1, constant}};
}
Statement compare_swap(int object, int expected, int desired) {
  return {.kind = Kind::kCompareSwap, .object = object, .a = {-1, expected}, .b = {-1, desired}};
}
Statement section(int mutex, Code body = {}) {
  return {.kind = Kind::kSection, .object = mutex, .body = std::move(body)};
}
Statement if_equal(int reg, int constant, Code body) {
  return {.kind = Kind::kIf, .reg = reg, .a = {-1, constant}, .body = std::move(body)};
}

// Main creates all threads and then joins them.
Program program(std::vector<Code> threads) {
  Program program{{Code{}}};
  const int count = static_cast<int>(threads.size());
  for (int t = 1; t <= count; ++t)
    program.threads[0].push_back({.kind = Kind::kCreate, .object = t});
  for (int t = 1; t <= count; ++t) program.threads[0].push_back({.kind = Kind::kJoin, .object = t});
  for (Code& code : threads) program.threads.push_back(std::move(code));
  return program;
}

TEST(Enumeration, OneWriterAndTwoReadersHaveFourTraces) {
  const Answer answer =
      enumerate(program({{store(0, 1)}, {load(1, 0), load(0, 1)}, {load(2, 0), load(0, 1)}}), kAll);
  EXPECT_EQ(answer.all.traces, 4U);
  EXPECT_EQ(answer.outcomes.size(), 4U);
  EXPECT_EQ(answer.observed_all, 4U);
}

// Figure 2 of the paper on source sets.
TEST(Enumeration, BranchesAreFollowed) {
  const Answer answer = enumerate(
      program({{load(0, 0)},
               {store(1, 1)},
               {load(1, 0), if_equal(0, 0, {store(2, 1)})},
               {load(2, 0), if_equal(0, 1, {load(1, 1), if_equal(1, 0, {store(0, 1)})})}}),
      kAll);
  EXPECT_EQ(answer.all.traces, 5U);
}

// p: y = 1; x = 1, q: x = 2, r reads x twice.
TEST(Enumeration, StoresThatNobodyReadHaveNoOrderForObservers) {
  const Answer answer = enumerate(
      program({{store(1, 1), store(0, 1)}, {store(0, 2)}, {load(0, 0), load(0, 1)}}), kAll);
  EXPECT_EQ(answer.all.traces, 12U);
  EXPECT_EQ(answer.observed_all, 11U);
}

TEST(Enumeration, InterleavingsCountCreateAndJoin) {
  // The first thread's step comes before thread 2 is created (then the other's before or after the
  // first join), or after that.
  const Answer answer = enumerate(program({{load(0, 0)}, {load(0, 0)}}), kAll);
  EXPECT_EQ(answer.all.traces, 1U);
  EXPECT_EQ(answer.all.interleavings, 5U);
}

TEST(Enumeration, AFailedCompareExchangeIsARead) {
  EXPECT_EQ(enumerate(program({{compare_swap(0, 1, 2)}, {compare_swap(0, 1, 2)}}), kAll).all.traces,
            1U);
  EXPECT_EQ(enumerate(program({{compare_swap(0, 0, 2)}, {compare_swap(0, 0, 2)}}), kAll).all.traces,
            2U);
}

TEST(Enumeration, SectionsOfAMutexAreOrdered) {
  EXPECT_EQ(enumerate(program({{section(0)}, {section(0)}, {section(0)}}), kAll).all.traces, 6U);
  EXPECT_EQ(enumerate(program({{section(0)}, {section(1)}}), kAll).all.traces, 1U);
}

TEST(Enumeration, TwoMutexesInDifferentOrdersDeadlockInOneTrace) {
  const Answer answer =
      enumerate(program({{section(0, {section(1)})}, {section(1, {section(0)})}}), kAll);
  EXPECT_EQ(answer.all.traces, 3U);
  EXPECT_EQ(answer.deadlocks.traces, 1U);
  EXPECT_EQ(answer.observed_deadlocks, 1U);
}

TEST(Enumeration, RunningMainFirstChangesNoClass) {
  int compared = 0;
  for (std::uint64_t number = 0; number < 300; ++number) {
    const Program p = generate(11, number, 0);
    const Answer all = enumerate(p, {.prefixes = 5000, .main_first = false});
    if (!all.complete) continue;
    ++compared;
    const Answer first = enumerate(p, {.prefixes = 5000, .main_first = true});
    ASSERT_EQ(first.all.traces, all.all.traces) << write_c({{p}});
    ASSERT_EQ(first.deadlocks.traces, all.deadlocks.traces) << write_c({{p}});
    ASSERT_EQ(first.observed, all.observed) << write_c({{p}});
    ASSERT_EQ(first.outcomes.size(), all.outcomes.size()) << write_c({{p}});
    for (const auto& [outcome, ends] : all.outcomes)
      ASSERT_EQ(first.outcomes.at(outcome).traces, ends.traces) << write_c({{p}});
  }
  EXPECT_GT(compared, 150);
}

// Every interleaving on its own. Traces: the order of every two steps that depend. Classes of
// observers: the order of every read and write of the same object, and where each read reads from.
TEST(Enumeration, AgreesWithTheDefinitions) {
  using Name = std::set<std::vector<std::size_t>>;
  const auto depend = [](const Taken& a, const Taken& b) {
    return a.object == b.object && (a.writes || b.writes);
  };
  int compared = 0;
  for (std::uint64_t number = 0; number < 300; ++number) {
    const Program p = generate(12, number, 0);
    const Answer answer = enumerate(p, {.prefixes = 5000, .main_first = false});
    if (!answer.complete || answer.all.interleavings > 500) continue;
    ++compared;
    std::uint64_t interleavings = 0;
    std::set<Name> traces, observed;
    each_interleaving(p, [&](std::span<const Taken> steps) {
      ++interleavings;
      Name trace, order;
      for (std::size_t f = 0; f < steps.size(); ++f) {
        const Taken& b = steps[f];
        const Taken* source = nullptr;
        for (std::size_t e = 0; e < f; ++e) {
          const Taken& a = steps[e];
          const std::vector<std::size_t> pair{a.thread, a.place, b.thread, b.place};
          if (depend(a, b)) trace.insert(pair);
          if (depend(a, b) && (a.reads || b.reads)) order.insert(pair);
          if (depend(a, b) && a.writes && b.reads) source = &a;
        }
        if (source != nullptr) order.insert({source->thread, source->place, b.thread, b.place, 1});
        trace.insert({b.thread, b.place});
        order.insert({b.thread, b.place});
      }
      traces.insert(trace);
      observed.insert(order);
    });
    ASSERT_EQ(answer.all.interleavings, interleavings) << write_c({{p}});
    ASSERT_EQ(answer.all.traces, traces.size()) << write_c({{p}});
    ASSERT_EQ(answer.observed_all, observed.size()) << write_c({{p}});
  }
  EXPECT_GT(compared, 100);
}

TEST(Enumeration, GivesUpWhereThereIsTooMuch) {
  const Code many(10, store(0, 1));
  EXPECT_FALSE(enumerate(program({many, many}), {.prefixes = 100}).complete);
}

}  // namespace
}  // namespace differential
