// What a verdict says about the machine it holds for, and how an exploration is stopped.
#include <gtest/gtest.h>

#include "cli/spawn.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kVerdict = MAZUR_TEST_SOURCES "/native/verdict";

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// ---- Which machine the proof is for

TEST(MemoryModel, RelaxedStoreBufferingIsVerifiedForSequentialConsistencyOnly) {
  for (const char* level : {"-O0", "-O1"}) {
    const MazurRun run = check(kVerdict / "store_buffering.cpp", {level});
    EXPECT_EQ(run.verdict(), "verified") << run.text;
    EXPECT_EQ(run.result["memory_model"], "sc");
    EXPECT_EQ(run.result["weak_operations"], 4) << level << run.text;
    EXPECT_TRUE(contains(run.text, "verified under sequential consistency: every trace"))
        << run.text;
    EXPECT_TRUE(
        contains(run.text, "4 operations weaker than seq_cst raced with others (the first: "))
        << run.text;
    EXPECT_TRUE(contains(run.text, "store_buffering.cpp:")) << run.text;
  }
}

TEST(MemoryModel, EveryAlgorithmCountsTheSameWeakOperations) {
  const Scratch folder;
  const auto program = build(kVerdict / "store_buffering.cpp", {"-O1"}, folder.path());
  for (const std::string name :
       {"naive", "dpor", "source", "lazy", "quasi", "observers", "bounded"}) {
    const MazurRun run = run_mazur(
        {"check", program.string(), "--algorithm=" + name, "--json=result.json"}, folder.path());
    EXPECT_EQ(run.verdict(), "verified") << run.text;
    EXPECT_EQ(run.result["weak_operations"], 4) << name << run.text;
  }
}

TEST(MemoryModel, NothingIsSaidWhereNothingWeakRaces) {
  for (const auto& [program, flag] :
       {std::pair{"store_buffering.cpp", "-DORDER=std::memory_order_seq_cst"},
        std::pair{"quiet_counters.cpp", "-O1"}}) {
    const MazurRun run = check(kVerdict / program, {flag});
    EXPECT_EQ(run.verdict(), "verified") << run.text;
    EXPECT_EQ(run.result["weak_operations"], 0) << run.text;
    EXPECT_FALSE(contains(run.text, "weaker")) << run.text;
  }
}

TEST(MemoryModel, PlainAccessesThatAreExploredAreWeakerToo) {
  const MazurRun run = check(kVerdict / "plain_flag.c", {"--races=explore"});
  EXPECT_EQ(run.verdict(), "verified") << run.text;
  EXPECT_EQ(run.result["weak_operations"], 2) << run.text;
}

// ---- Time limits

void expect_stopped(const MazurRun& run) {
  EXPECT_EQ(run.exit_code, 3) << run.text;
  EXPECT_EQ(run.verdict(), "incomplete") << run.text;
  EXPECT_EQ(run.result["bounds_reached"], nlohmann::json({"time-limit"})) << run.text;
}

TEST(TimeLimit, HoldsInsideOfAnExecutionWithoutEnd) {
  const Scratch folder;
  const auto program = build(kVerdict / "endless.cpp", {}, folder.path());
  for (const std::string name : {"optimal", "naive", "context"}) {
    const MazurRun run =
        run_mazur({"check", program.string(), "--algorithm=" + name, "--max-steps=100000000000",
                   "--time-limit=0.3", "--json=result.json"},
                  folder.path());
    expect_stopped(run);
    EXPECT_FALSE(contains(run.text, "explored, it seems")) << run.text;
    EXPECT_EQ(run.result.count("explored"), 0u) << run.text;
  }
}

// Today's watchdog would call it a livelock.
TEST(TimeLimit, HoldsInsideOfALongStep) {
  const Scratch folder;
  const auto program = build(kVerdict / "long_step.c", {"-O1"}, folder.path());
  for (const std::string isolation : {"snapshot", "fork"})
    expect_stopped(run_mazur({"check", program.string(), "--isolation=" + isolation,
                              "--time-limit=0.3", "--json=result.json"},
                             folder.path()));
}

// ---- No execution ran to its end

TEST(NoEnd, TheLoopIsNamed) {
  const MazurRun run = check(kVerdict / "endless.cpp", {"--max-steps=5000", "--max-executions=3"});
  EXPECT_EQ(run.verdict(), "incomplete") << run.text;
  EXPECT_TRUE(contains(run.text, "no execution ran to its end: of the 5,000 steps of the last one"))
      << run.text;
  EXPECT_TRUE(contains(run.text, "endless.cpp:9") || contains(run.text, "endless.cpp:10"))
      << run.text;
  EXPECT_TRUE(contains(run.text, "--unroll=N")) << run.text;
}

}  // namespace
}  // namespace mazur::test
