// The portfolio beside a long exploration: bugs that need many threads, with default settings.
#include <gtest/gtest.h>

#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kPrograms = MAZUR_TEST_SOURCES "/native/portfolio";

// So many executions are a second or two. Nothing here is decided by a clock.
constexpr char kFew[] = "--max-executions=30000";

struct Program {
  const char* file;
  const char* threads;
};
constexpr Program kMany[] = {
    {"reorder.c", "-DSETTERS=9"}, {"reorder.c", "-DSETTERS=19"}, {"two_stages.c", "-DWRITERS=99"}};

TEST(NativePortfolio, FindsBugsThatNeedManyThreads) {
  for (const Program& program : kMany) {
    const MazurRun run =
        check(kPrograms / program.file, {"-O1", program.threads, "--races=explore", kFew});
    ASSERT_EQ(run.verdict(), "bug") << program.file << program.threads << "\n" << run.text;
    const nlohmann::json& error = run.result["errors"][0];
    EXPECT_EQ(error["kind"], "assertion") << run.text;
    EXPECT_EQ(error.value("portfolio", false), true) << run.text;
    EXPECT_GT(run.result["portfolio"]["executions"], 0);
    EXPECT_EQ(run.result["portfolio"]["failed"], 1);
    EXPECT_NE(run.text.find("the portfolio: "), std::string::npos) << run.text;
    EXPECT_EQ(run.result["algorithm"], "optimal");
  }
}

// Somebody who asks for an algorithm gets that one, and finds nothing soon.
TEST(NativePortfolio, IsOffIfAnAlgorithmIsAskedFor) {
  const MazurRun run = check(
      kPrograms / "reorder.c",
      {"-O1", "-DSETTERS=9", "--races=explore", "--max-executions=3000", "--algorithm=optimal"});
  EXPECT_EQ(run.verdict(), "incomplete") << run.text;
  EXPECT_FALSE(run.result.contains("portfolio"));
}

// The same executions as without it, and nothing beside them.
TEST(NativePortfolio, LeavesShortExplorationsAlone) {
  const std::vector<std::string> flags{"-O1", "-DSETTERS=3", "-DFIXED"};
  std::vector<std::string> alone = flags;
  alone.push_back("--algorithm=optimal");
  const MazurRun run = check(kPrograms / "reorder.c", flags);
  EXPECT_EQ(run.verdict(), "verified") << run.text;
  EXPECT_FALSE(run.result.contains("portfolio"));
  EXPECT_EQ(run.result["executions"], check(kPrograms / "reorder.c", alone).result["executions"]);
}

// A long one that is right: counted apart, and at most a few per cent.
TEST(NativePortfolio, AddsNothingToAProof) {
  const std::vector<std::string> flags{"-O1", "-DSETTERS=6", "-DFIXED"};
  std::vector<std::string> alone = flags;
  alone.push_back("--algorithm=optimal");
  const MazurRun run = check(kPrograms / "reorder.c", flags);
  EXPECT_EQ(run.verdict(), "verified") << run.text;
  EXPECT_EQ(run.complete(), 5040);
  const MazurRun other = check(kPrograms / "reorder.c", alone);
  EXPECT_EQ(run.result["executions"], other.result["executions"]);
  EXPECT_EQ(run.result["events"], other.result["events"]);
  ASSERT_TRUE(run.result.contains("portfolio")) << run.text;
  EXPECT_LT(run.result["portfolio"]["events"].get<double>(),
            0.06 * run.result["events"].get<double>());
  EXPECT_EQ(run.result["portfolio"]["failed"], 0);
}

}  // namespace
}  // namespace mazur::test
