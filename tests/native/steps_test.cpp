// Steps that take long: computing is let run, a loop that provably never ends is one, and what
// cannot be decided ends as incomplete. No test here depends on how long something takes: the
// limits are only reached by what would go on for ever.
#include <gtest/gtest.h>

#include <fstream>

#include "cli/spawn.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kSteps = MAZUR_TEST_SOURCES "/native/steps";

// The only line of a program's source with the word on it. `nth`: from 1.
int line_of(const std::filesystem::path& source, int nth) {
  std::ifstream in(source);
  int number = 0, found = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find("// LINE") != std::string::npos && ++found == nth) return number;
  }
  return 0;
}

int line(const nlohmann::json& finding) { return finding["frames"][0]["line"]; }

TEST(Steps, AComputationOfASecondIsNoLivelock) {
  for (const char* races : {"--races=report", "--races=explore"}) {
    const MazurRun run = check(kSteps / "long_computation.c", {"-O1", races});
    EXPECT_EQ(run.verdict(), "verified") << run.text;
    EXPECT_EQ(run.complete(), 1) << run.text;
  }
}

TEST(Steps, AComputationWithoutEndIsIncompleteAndItsLineIsNamed) {
  const std::filesystem::path source = kSteps / "endless_computation.c";
  for (const bool silent : {false, true}) {
    std::vector<std::string> options{"-O1", "-g", "--step-limit=0.2"};
    if (silent) options.push_back("-DSILENT");
    const MazurRun run = check(source, options);
    ASSERT_EQ(run.verdict(), "incomplete") << run.text;
    EXPECT_EQ(run.exit_code, 3) << run.text;
    EXPECT_EQ(run.result["bounds_reached"], nlohmann::json::array({"step-limit"})) << run.text;
    EXPECT_TRUE(run.result["errors"].empty()) << run.text;
    const int at = line(run.result["cut_off"]);
    EXPECT_GE(at, line_of(source, silent ? 1 : 2) - 1) << run.text;
    EXPECT_LE(at, line_of(source, silent ? 1 : 2) + 1) << run.text;
  }
}

struct Spin {
  const char* name;
  std::vector<std::string> flags;
  int line;
};
std::ostream& operator<<(std::ostream& out, const Spin& spin) { return out << spin.name; }

class SpinningThread : public testing::TestWithParam<Spin> {};

TEST_P(SpinningThread, IsALivelockOnlyIfSomebodyWaitsForIt) {
  const std::filesystem::path source = kSteps / "spinning_thread.c";
  std::vector<std::string> options = GetParam().flags;
  const MazurRun beside = check(source, options);
  EXPECT_EQ(beside.verdict(), "verified") << beside.text;
  EXPECT_EQ(beside.complete(), 2) << beside.text;
  options.insert(options.end(), {"-DJOIN", "-g"});
  const MazurRun joined = check(source, options);
  ASSERT_EQ(joined.verdict(), "bug") << joined.text;
  const auto& error = joined.result["errors"][0];
  EXPECT_EQ(error["kind"], "livelock") << joined.text;
  bool named = false;
  for (const auto& frame : error["frames"])
    named =
        named || (frame["function"] == "spin" && frame["line"] == line_of(source, GetParam().line));
  EXPECT_TRUE(named) << joined.text;
}

INSTANTIATE_TEST_SUITE_P(Steps, SpinningThread,
                         testing::Values(Spin{"volatile_gcc_O0", {"-O0"}, 3},
                                         Spin{"volatile_gcc_O2", {"-O2"}, 3},
                                         Spin{"volatile_clang_O1", {"--compiler=clang", "-O1"}, 3},
                                         Spin{"empty_gcc_O1", {"-O1", "-DEMPTY"}, 1},
                                         Spin{"once_gcc_O1", {"-O1", "-DONCE"}, 2},
                                         Spin{"explored_gcc_O1", {"-O1", "--races=explore"}, 3}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Steps, ALoopThatALibraryEndsIsNoLivelock) {
  const MazurRun run = check(kSteps / "library_state.c", {"-O1"});
  EXPECT_EQ(run.verdict(), "verified") << run.text;
}

// The write is no event with --races=ignore, so the thread that it would let go on stays behind.
TEST(Steps, ALoopForAPlainVariableThatIsWrittenIsNoLivelockWithoutRaces) {
  const std::filesystem::path source =
      MAZUR_TEST_SOURCES "/native/errors/waiting/hang_plain_flag.cpp";
  const MazurRun ignored = check(source, {"-O1", "--races=ignore"});
  EXPECT_EQ(ignored.verdict(), "incomplete") << ignored.text;
  EXPECT_EQ(ignored.result["bounds_reached"], nlohmann::json::array({"plain-loop"}));
  const MazurRun explored = check(source, {"-O1", "--races=explore"});
  EXPECT_EQ(explored.verdict(), "verified") << explored.text;
}

TEST(Steps, ASystemCallThatBlocksIsUnsupportedAfterTheCallLimit) {
  const std::filesystem::path source = kSteps / "blocked_call.c";
  const MazurRun run = check(source, {"-O1", "-g", "--call-limit=0.2"});
  ASSERT_EQ(run.verdict(), "unsupported") << run.text;
  EXPECT_NE(run.text.find("--call-limit"), std::string::npos) << run.text;
}

}  // namespace
}  // namespace mazur::test
