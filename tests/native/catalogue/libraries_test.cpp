// Libraries nobody here wrote, under 20,000 random schedules each: no false alarm; and some in all
// schedules.
#include <gtest/gtest.h>

#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kLibraries = MAZUR_TEST_SOURCES "/libraries";

class Libraries : public testing::TestWithParam<std::string> {};

TEST_P(Libraries, RunUnderRandomSchedules) {
  const MazurRun run =
      check(kLibraries / GetParam(), {"-O1", "--algorithm=random", "--max-executions=20000"});
  EXPECT_EQ(run.verdict(), "incomplete") << run.text;
  EXPECT_EQ(run.complete(), 20000) << run.text;
  EXPECT_TRUE(run.result["errors"].empty()) << run.text;
}

INSTANTIATE_TEST_SUITE_P(All, Libraries, testing::ValuesIn(programs_in(kLibraries)),
                         [](const auto& info) { return test_name(info.param); });

// Calls that wait are loops that end by themselves.
TEST(BlockingQueues, AreVerified) {
  for (const char* name : {"atomic_queue.cpp", "moodycamel_blockingconcurrentqueue.cpp"}) {
    const MazurRun run = check(kLibraries / name, {"-O1"});
    EXPECT_EQ(run.verdict(), "verified") << run.text;
  }
}

}  // namespace
}  // namespace mazur::test
