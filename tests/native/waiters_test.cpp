// Condition variables in programs with more threads than a label has bits for.
#include <gtest/gtest.h>

#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kWaiters = MAZUR_TEST_SOURCES "/native/waiters";

// 60 orders of two who take and two who give, whatever their numbers are.
TEST(Waiters, ThreadsWhoseNumbersDifferBy64AreToldApart) {
  for (const char* fillers : {"-DFILLERS=0", "-DFILLERS=63"}) {
    const MazurRun run =
        check(kWaiters / "ids_apart_by_64.c", {"-O1", "-DNEVER=0", fillers, "--keep-going"});
    EXPECT_EQ(run.verdict(), "verified") << run.text;
    EXPECT_EQ(run.complete(), 60) << run.text;
    EXPECT_EQ(run.blocked(), 0) << run.text;
  }
  for (const char* never : {"-DNEVER=12", "-DNEVER=21"}) {
    const MazurRun run = check(kWaiters / "ids_apart_by_64.c", {"-O1", "-DFILLERS=63", never});
    EXPECT_EQ(run.verdict(), "bug") << run.text;
  }
}

TEST(Waiters, OneBroadcastWakesSeventyThreads) {
  const MazurRun run =
      check(kWaiters / "seventy.c",
            {"-O1", "--algorithm=random", "--max-executions=50", "--check-determinism"});
  EXPECT_EQ(run.verdict(), "incomplete") << run.text;
  EXPECT_EQ(run.complete(), 50) << run.text;
}

}  // namespace
}  // namespace mazur::test
