// Loads that wait for another value (docs/waiting.md, "Looks"): how little is explored, and that nothing
// is missed.
#include <gtest/gtest.h>

#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kLooks = MAZUR_TEST_SOURCES "/native/looks";

MazurRun look(const std::string& program, std::vector<std::string> options = {}) {
  options.insert(options.begin(), {"-std=c++20", "-O1"});
  return check(kLooks / program, options);
}

// 720 orders of six threads. A look in vain is run once for each value in each state.
TEST(Looks, OfATicketLockAreExploredOnce) {
  for (const bool assumes : {false, true})
    for (const char* algorithm : {"--algorithm=optimal", "--algorithm=source"}) {
      std::vector<std::string> options = {"-DTHREADS=6"};
      if (assumes) options.emplace_back("-DASSUME");
      options.emplace_back(algorithm);
      const MazurRun run = look("ticket.cpp", options);
      EXPECT_EQ(run.verdict(), "verified") << run.text;
      EXPECT_EQ(run.complete(), 720) << run.text;
      EXPECT_LT(run.assume_blocked(), 720) << run.text;
    }
}

TEST(Looks, OfWhatIsWrittenPlainlyAreDataRaces) {
  const MazurRun run = look("written_plainly.cpp");
  ASSERT_EQ(run.verdict(), "bug") << run.text;
  EXPECT_EQ(run.result["errors"][0]["kind"], "data-race") << run.text;
}

TEST(Looks, OfWhatIsFreedAreErrors) {
  const MazurRun run = look("freed.cpp");
  ASSERT_EQ(run.verdict(), "bug") << run.text;
  EXPECT_EQ(run.result["errors"][0]["kind"], "use-after-free") << run.text;
}

TEST(Looks, DependOnOtherMemory) {
  const MazurRun run = look("other_memory.cpp", {"--keep-going"});
  ASSERT_EQ(run.verdict(), "bug") << run.text;  // the 5 can be missed
  EXPECT_EQ(run.result["errors"][0]["kind"], "livelock") << run.text;
  EXPECT_GT(run.complete(), run.result["errors"].size()) << run.text;
}

TEST(Looks, DependOnTheStack) {
  const MazurRun run = look("own_stack.cpp", {"--races=ignore"});
  EXPECT_EQ(run.verdict(), "verified") << run.text;
}

TEST(Looks, ThatStayInVainAreLivelocks) {
  for (const char* algorithm : {"--algorithm=optimal", "--algorithm=source", "--algorithm=dpor"}) {
    const MazurRun run = look("livelock.cpp", {algorithm});
    ASSERT_EQ(run.verdict(), "bug") << run.text;
    const nlohmann::json& error = run.result["errors"][0];
    EXPECT_EQ(error["kind"], "livelock") << run.text;
    EXPECT_EQ(error["frames"][1]["line"], 9) << error.dump(1);
    EXPECT_EQ(error["schedule"]["steps"], 4) << error.dump(1);  // the look is shown
    EXPECT_NE(error["message"].get<std::string>().find("thread 1 spins until x changes"),
              std::string::npos)
        << error.dump(1);
  }
}

TEST(Looks, ThatAnAssumptionNeedsAreNoErrors) {
  const MazurRun run = look("abandoned.cpp");
  EXPECT_EQ(run.verdict(), "verified") << run.text;
  EXPECT_EQ(run.complete(), 1) << run.text;
}

}  // namespace
}  // namespace mazur::test
