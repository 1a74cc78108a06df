// --isolation=fork finds what restoring a snapshot finds, in as many executions.
#include <gtest/gtest.h>

#include "run_mazur.h"

namespace mazur::test {
namespace {

class Fork : public testing::TestWithParam<const char*> {};

TEST_P(Fork, DoesAsTheSnapshotDoes) {
  const std::filesystem::path source =
      std::filesystem::path(MAZUR_TEST_SOURCES "/../examples") / GetParam();
  const MazurRun snapshot = check(source, {"-O1", "--isolation=snapshot"});
  const MazurRun forks = check(source, {"-O1", "--isolation=fork"});
  EXPECT_EQ(forks.exit_code, snapshot.exit_code) << forks.text;
  EXPECT_EQ(forks.verdict(), snapshot.verdict()) << forks.text;
  EXPECT_EQ(forks.complete(), snapshot.complete()) << forks.text;
  EXPECT_EQ(forks.result["events"], snapshot.result["events"]) << forks.text;
  ASSERT_EQ(forks.result["errors"].size(), snapshot.result["errors"].size()) << forks.text;
  for (std::size_t i = 0; i < forks.result["errors"].size(); ++i) {
    EXPECT_EQ(forks.result["errors"][i]["kind"], snapshot.result["errors"][i]["kind"]);
    EXPECT_EQ(forks.result["errors"][i]["frames"], snapshot.result["errors"][i]["frames"]);
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, Fork,
                         testing::Values("bank.cpp", "bank_fixed.cpp", "philosophers.cpp",
                                         "treiber_stack.cpp"));

}  // namespace
}  // namespace mazur::test
