// --races=explore: plain accesses to memory that threads share, and the end of its life, are
// events. Which memory that is comes out during the exploration, which must not be seen in what it
// finds.
#include <gtest/gtest.h>

#include "cli/spawn.h"
#include "every_access.h"
#include "explore/registry.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kPlain = MAZUR_TEST_SOURCES "/native/plain";

using Words = std::vector<std::string>;

const Words kAlgorithms = exhaustive_explorers();

MazurRun explore(const std::filesystem::path& program, const std::string& algorithm,
                 Words options = {}) {
  options.insert(options.end(), {"--races=explore", "--algorithm=" + algorithm});
  return check(program, options);
}

// ---- The end of life

struct Wrong {
  const char* program;
  const char* kind;
};
std::ostream& operator<<(std::ostream& out, const Wrong& wrong) { return out << wrong.program; }

class EndOfLife : public testing::TestWithParam<Wrong> {};

TEST_P(EndOfLife, IsOrderedWithEveryAccess) {
  const Scratch folder;
  const auto program =
      build(kPlain / (GetParam().program + std::string(".cpp")), {"-O1", "-g"}, folder.path());
  for (const std::string& algorithm : kAlgorithms) {
    const MazurRun run = explore(program, algorithm);
    ASSERT_EQ(run.verdict(), "bug") << algorithm << "\n" << run.text;
    EXPECT_EQ(run.result["errors"][0]["kind"], GetParam().kind) << algorithm << "\n" << run.text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Plain, EndOfLife,
    testing::Values(Wrong{"free_read", "use-after-free"}, Wrong{"free_write", "use-after-free"},
                    Wrong{"free_twice", "double-free"}, Wrong{"realloc_read", "use-after-free"},
                    Wrong{"realloc_copies", "assertion"}, Wrong{"free_atomic", "use-after-free"},
                    Wrong{"stack_ends", "use-after-free"}),
    [](const auto& info) { return std::string(info.param.program); });

TEST(Plain, AFreeObservesNoStores) {
  const Scratch folder;
  const auto program = build(kPlain / "free_after_join.cpp", {"-O1"}, folder.path());
  const auto complete = [&](const std::string& algorithm) {
    const MazurRun run = explore(program, algorithm);
    EXPECT_TRUE(run.finished()) << run.text;
    return run.complete();
  };
  EXPECT_EQ(complete("optimal"), 2);
  EXPECT_EQ(complete("observers"), 1);
  EXPECT_EQ(complete("context-observers"), 1);
  const EveryAccess every;
  EXPECT_EQ(complete("optimal"), 2);
  EXPECT_EQ(complete("observers"), 1);
}

TEST(Plain, AFreeIsShown) {
  const Scratch folder;
  const MazurRun found =
      run_mazur({"check", kPlain / "free_read.cpp", "-g", "--races=explore"}, folder.path());
  EXPECT_NE(found.text.find("free "), std::string::npos) << found.text;
  EXPECT_NE(found.text.find("free_read.cpp:12"), std::string::npos) << found.text;
}

// Who frees an exception is decided inside of libstdc++.
TEST(Plain, TheLastReferenceToAnExceptionFreesIt) {
  const Scratch folder;
  const auto program = build(kPlain / "exception_pointer.cpp", {"-O1"}, folder.path());
  for (const std::string& algorithm : kAlgorithms) {
    const MazurRun run = explore(program, algorithm);
    EXPECT_TRUE(run.finished()) << algorithm << run.text;
    if (algorithm == "naive") continue;
    const EveryAccess every;
    const MazurRun all = explore(program, algorithm);
    EXPECT_TRUE(all.finished()) << algorithm << all.text;
  }
}

// ---- What is shared

// Without trial runs (--loops=run) the exploration has to begin again.
TEST(Plain, SharingThatIsFoundLateCountsFromTheBeginning) {
  const Scratch folder;
  const auto program = build(kPlain / "late.c", {"-O1"}, folder.path());
  for (const std::string algorithm :
       {"optimal", "source", "observers", "context", "context-observers", "dpor"})
    for (const char* loops : {"--loops=run", "--loops=wait"}) {
      const MazurRun some = explore(program, algorithm, {loops});
      const EveryAccess every;
      const MazurRun all = explore(program, algorithm, {loops});
      EXPECT_TRUE(some.finished()) << algorithm << some.text;
      EXPECT_EQ(some.complete(), all.complete()) << algorithm << some.text << all.text;
      EXPECT_LT(some.result["events"], all.result["events"]) << algorithm;
    }
}

TEST(Plain, DeterminismAndBoundsAreAsBefore) {
  const Scratch folder;
  const auto program = build(kPlain / "late.c", {"-O1"}, folder.path());
  const MazurRun once = explore(program, "optimal");
  EXPECT_EQ(explore(program, "optimal", {"--check-determinism"}).complete(), once.complete());
  EXPECT_EQ(explore(program, "optimal", {"--unroll=3"}).complete(), once.complete());
  EXPECT_EQ(explore(program, "optimal", {"--max-steps=5"}).verdict(), "incomplete");
  EXPECT_EQ(explore(program, "optimal", {"--isolation=fork"}).complete(), once.complete());
}

// A schedule that was found after the exploration had begun again runs again: with the same events.
TEST(Plain, AFailingScheduleRunsAgain) {
  for (const char* minimise : {"--minimise=0", "--minimise=1"}) {
    const Scratch folder;
    const auto program = build(kPlain / "late.c", {"-O1", "-g", "-DBUG"}, folder.path());
    const MazurRun found = run_mazur(
        {"check", program, "--races=explore", "--loops=run", "--json=result.json", minimise},
        folder.path());
    ASSERT_EQ(found.verdict(), "bug") << found.text;
    const std::string trace = found.result["errors"][0]["trace"];
    for (const char* times : {"--times=1", "--times=3"})
      EXPECT_EQ(run_mazur({"replay", trace, times}, folder.path()).exit_code, 1);
    const MazurRun shown = run_mazur({"show", trace}, folder.path());
    EXPECT_EQ(shown.exit_code, 0) << shown.text;
    EXPECT_NE(shown.text.find("late.c:"), std::string::npos) << shown.text;
  }
}

TEST(Plain, EveryErrorIsListedOnce) {
  const Scratch folder;
  const auto program = build(kPlain / "late.c", {"-O1", "-DBUG"}, folder.path());
  const MazurRun run = explore(program, "optimal", {"--loops=run", "--keep-going"});
  ASSERT_EQ(run.result["errors"].size(), 1u) << run.text;
  const EveryAccess every;
  const MazurRun all = explore(program, "optimal", {"--loops=run", "--keep-going"});
  EXPECT_EQ(run.result["errors"][0]["count"], all.result["errors"][0]["count"]) << run.text;
  EXPECT_EQ(run.complete(), all.complete());
}

// ---- Loops

TEST(Plain, ALoopThatOnlyReadsIsNotLeftRunning) {
  for (const char* where : {"-DGLOBAL", "-DSTACK"}) {
    const Scratch folder;
    const auto program = build(kPlain / "spin.cpp", {"-O1", where}, folder.path());
    for (const std::string& algorithm : kAlgorithms) {
      if (algorithm == "lazy" || algorithm == "naive") continue;
      const MazurRun run = explore(program, algorithm);
      EXPECT_TRUE(run.finished()) << algorithm << run.text;
      const EveryAccess every;
      // How many looks in vain are told apart may differ.
      EXPECT_TRUE(explore(program, algorithm).finished()) << algorithm << run.text;
    }
  }
  const MazurRun never = explore(kPlain / "spin.cpp", "optimal", {"-O1", "-DNEVER"});
  ASSERT_EQ(never.verdict(), "bug") << never.text;
  EXPECT_EQ(never.result["errors"][0]["kind"], "livelock") << never.text;
  const MazurRun runs = explore(kPlain / "spin.cpp", "optimal",
                                {"-O1", "-DGLOBAL", "--loops=run", "--max-steps=200"});
  EXPECT_EQ(runs.verdict(), "incomplete") << runs.text;
}

struct Build {
  const char* name;
  std::vector<std::string> flags;
};
std::ostream& operator<<(std::ostream& out, const Build& build) { return out << build.name; }

class Turns : public testing::TestWithParam<Build> {};

// Whether a round of a loop was fruitless must not depend on what the runtime leaves on the stack.
TEST_P(Turns, ThreeThreadsThatTakeTurnsBehaveAsBeforeInEveryAlgorithm) {
  const Scratch folder;
  const auto program = build(kPlain / "turns.c", GetParam().flags, folder.path());
  const MazurRun optimal = explore(program, "optimal");
  ASSERT_EQ(optimal.verdict(), "verified") << optimal.text;
  EXPECT_EQ(optimal.blocked(), 0) << optimal.text;
  for (const std::string& algorithm : kAlgorithms) {
    const MazurRun run = explore(program, algorithm);
    EXPECT_TRUE(run.finished()) << algorithm << run.text;
    if (algorithm == "quasi" || algorithm == "lazy") {
      EXPECT_EQ(run.complete(), optimal.complete()) << algorithm << run.text;
    } else if (algorithm == "source" || algorithm == "dpor" || algorithm == "naive") {
      EXPECT_GE(run.complete(), optimal.complete()) << algorithm << run.text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Plain, Turns,
                         testing::Values(Build{"plain_gcc_O0", {"-O0"}},
                                         Build{"volatile_gcc_O1", {"-O1", "-DVOLATILE"}},
                                         Build{"volatile_gcc_O2", {"-O2", "-DVOLATILE"}},
                                         Build{"plain_clang_O0", {"--compiler=clang", "-O0"}}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Plain, ALoopThatCountsIsCut) {
  const MazurRun run =
      explore(kPlain / "spin_and_count.cpp", "optimal", {"-O1", "--loops=run", "--step-limit=0.2"});
  EXPECT_EQ(run.verdict(), "incomplete") << run.text;
}

TEST(Plain, WorkOnPrivateMemoryTakesNoSteps) {
  const MazurRun run = explore(kPlain / "long_work.cpp", "optimal", {"-O1"});
  EXPECT_EQ(run.verdict(), "verified") << run.text;
  EXPECT_EQ(run.complete(), 4) << run.text;
  EXPECT_LT(run.result["events"], 100) << run.text;
}

}  // namespace
}  // namespace mazur::test
