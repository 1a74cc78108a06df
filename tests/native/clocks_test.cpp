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
    program = build(kReleased, {"-O1", "-std=c++20"}, folder->path());
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

}  // namespace
}  // namespace mazur::test
