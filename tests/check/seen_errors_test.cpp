#include "check/seen_errors.h"

#include <gtest/gtest.h>

namespace mazur {
namespace {

Failure at(std::uint64_t pc) {
  Failure failure;
  failure.kind = FailureKind::kAssertion;
  failure.message = "no";
  failure.stack = {pc};
  return failure;
}

TEST(SeenErrors, TheSamePlaceIsKeptOnceAndCounted) {
  SeenErrors errors(10);
  const Frontier frontier;
  Trace trace;
  EXPECT_EQ(errors.add(trace, frontier, at(1)), 0u);
  errors.execution_ended();
  trace.append({.thread = 0, .label = {}});
  EXPECT_EQ(errors.add(trace, frontier, at(2)), 1u);
  EXPECT_EQ(errors.add(trace, frontier, at(1)), 0u);
  ASSERT_EQ(errors.all().size(), 2u);
  EXPECT_EQ(errors.all()[0].count, 2u);
  EXPECT_EQ(errors.all()[0].execution, 1u);
  EXPECT_TRUE(errors.all()[0].events.empty());
  EXPECT_EQ(errors.all()[1].count, 1u);
  EXPECT_EQ(errors.all()[1].execution, 2u);
  EXPECT_EQ(errors.all()[1].events.size(), 1u);
}

TEST(SeenErrors, NoMoreThanAreWanted) {
  SeenErrors errors(1);
  EXPECT_TRUE(errors.add(Trace(), {}, at(1)));
  EXPECT_FALSE(errors.add(Trace(), {}, at(2)));
  EXPECT_TRUE(errors.add(Trace(), {}, at(1)));
  EXPECT_EQ(errors.all().size(), 1u);
}

TEST(SeenErrors, WhenItBeginsAgainOnlyTheFirstStayAndAllAreCountedAnew) {
  SeenErrors errors(10);
  errors.add(Trace(), {}, at(1));
  errors.execution_ended();
  errors.add(Trace(), {}, at(2));
  errors.started_over(/*kept=*/1);
  ASSERT_EQ(errors.all().size(), 1u);
  EXPECT_EQ(errors.all()[0].count, 0u);
  EXPECT_EQ(errors.add(Trace(), {}, at(2)), 1u);
  EXPECT_EQ(errors.all()[1].execution, 1u);
}

TEST(SeenErrors, ATakenScheduleLeavesItsPlace) {
  SeenErrors errors(10);
  Trace trace;
  trace.append({.thread = 0, .label = {}});
  errors.add(trace, {}, at(1));
  EXPECT_EQ(errors.take(0).events.size(), 1u);
  EXPECT_TRUE(errors.all()[0].events.empty());
  EXPECT_EQ(errors.add(trace, {}, at(1)), 0u);
}

TEST(MinimisingTime, EachGetsAtMostHalfOfWhatIsLeft) {
  MinimisingTime time;
  EXPECT_EQ(time.for_one(1), 1);
  EXPECT_EQ(time.for_one(100), 2);
  time.spend(3);
  EXPECT_EQ(time.for_one(100), 0.5);
  time.spend(2);
  EXPECT_LT(time.for_one(1), 0);
}

}  // namespace
}  // namespace mazur
