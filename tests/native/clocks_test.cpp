// Virtual time follows what happens before what.
#include <gtest/gtest.h>

#include "cli/spawn.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kReleased = MAZUR_TEST_SOURCES "/native/clocks/released.cpp";

class Clocks : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = new Scratch;
    program = build(kReleased, {"-O1"}, folder->path());
  }
  static void TearDownTestSuite() { delete folder; }

  static void expect_verified(const std::string& way, const std::string& option) {
    const MazurRun run = run_mazur(
        {"check", program.string(), option, "--json=result.json", "--no-trace", "--", way},
        folder->path());
    EXPECT_EQ(run.verdict(), "verified") << way << " " << option << "\n" << run.text;
  }

  static inline Scratch* folder = nullptr;
  static inline std::filesystem::path program;
};

TEST_F(Clocks, ShowTheSecondThatTheReleasingThreadHasSlept) {
  for (const std::string way : {"join", "two", "creation", "mutex", "shared-mutex", "condition",
                                "semaphore", "barrier", "relaxed", "promise", "nobody", "timeout"})
    expect_verified(way, "--algorithm=optimal");
}

TEST_F(Clocks, AgreeWithTheProcessorsCounter) {
  expect_verified("all", "--algorithm=optimal");
  expect_verified("all", "--isolation=fork");
}

// The time is the same in all schedules of a class.
TEST_F(Clocks, ShowTheSameForEveryAlgorithm) {
  for (const std::string name : {"naive", "source", "lazy", "quasi", "observers"})
    expect_verified("relaxed", "--algorithm=" + name);
  expect_verified("condition", "--isolation=fork");
}

// Loops in which time passes are stopped in vain like others. If somebody looks at a clock, that is
// no proof.
class WaitingForTime : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = new Scratch;
    program = build(MAZUR_TEST_SOURCES "/native/clocks/waiting.cpp", {"-O1", "-std=c++20"},
                    folder->path());
  }
  static void TearDownTestSuite() { delete folder; }
  static MazurRun check(const std::string& loop, const std::string& look,
                        const std::string& option) {
    return run_mazur({"check", program.string(), option, "--json=result.json", "--no-trace",
                      "--max-steps=1000", "--", loop, look},
                     folder->path());
  }
  static void expect_incomplete(const MazurRun& run) {
    EXPECT_EQ(run.verdict(), "incomplete") << run.text;
    EXPECT_EQ(run.result["bounds_reached"], nlohmann::json::array({"time"})) << run.text;
  }

  static inline Scratch* folder = nullptr;
  static inline std::filesystem::path program;
};

TEST_F(WaitingForTime, IsVerifiedIfNobodyLooksAtAClock) {
  for (const std::string loop : {"poll", "spin", "mutex", "recursive", "shared", "reader", "posix"})
    for (const std::string look : {"nowhere", "before"}) {
      const MazurRun run = check(loop, look, "--algorithm=optimal");
      EXPECT_EQ(run.verdict(), "verified") << run.text;
    }
  for (const std::string option :
       {"--algorithm=source", "--algorithm=quasi", "--memory=tso", "--memory=c++20", "--jobs=2"}) {
    const MazurRun run = check("mutex", "nowhere", option);
    EXPECT_EQ(run.verdict(), "verified") << run.text;
  }
}

TEST_F(WaitingForTime, IsNoProofIfSomebodyDoes) {
  for (const std::string loop : {"poll", "mutex", "recursive", "shared", "reader"})
    for (const std::string look : {"after", "elsewhere"})
      expect_incomplete(check(loop, look, "--algorithm=optimal"));
  // A deadline years ahead: one timeout shows it, and in later rounds no time passes.
  EXPECT_EQ(check("posix", "after", "--algorithm=optimal").verdict(), "bug");
  for (const std::string option : {"--memory=c++20", "--jobs=2", "--isolation=fork"})
    expect_incomplete(check("poll", "elsewhere", option));
  // What it leaves out can be an error.
  for (const std::string loop : {"poll", "mutex"}) {
    const MazurRun all = run_mazur({"check", program.string(), "--loops=run", "--unroll=30",
                                    "--json=result.json", "--no-trace", "--", loop, "after"},
                                   folder->path());
    EXPECT_EQ(all.verdict(), "bug") << all.text;
  }
  // Where no time passes, nothing is left out that a clock would show.
  EXPECT_EQ(check("spin", "after", "--algorithm=optimal").verdict(), "verified");
}

}  // namespace
}  // namespace mazur::test
