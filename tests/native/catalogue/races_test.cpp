// Racy and clean programs: Mazur's detector is right about each of them, and agrees with
// ThreadSanitizer's where one run of that can tell.
#include <gtest/gtest.h>

#include <fstream>

#include "cli/spawn.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kRaces = MAZUR_TEST_SOURCES "/native/races";

std::vector<nlohmann::json> rows() {
  std::ifstream in(kRaces / "manifest.json");
  const nlohmann::json all = nlohmann::json::parse(in);
  return {all.begin(), all.end()};
}

std::string name_of(const testing::TestParamInfo<nlohmann::json>& info) {
  return test_name(info.param["program"]);
}

bool has_race(const MazurRun& run) {
  for (const auto& error : run.result["errors"])
    if (error["kind"] == "data-race" || error["kind"] == "use-after-free") return true;
  return false;
}

class Races : public testing::TestWithParam<nlohmann::json> {};

TEST_P(Races, AreFoundAndNothingElse) {
  const std::string program = GetParam()["program"];
  const bool racy = GetParam()["racy"];
  for (const char* level : {"-O0", "-O1"}) {
    const MazurRun run = check(kRaces / program, {level});
    EXPECT_EQ(run.verdict(), racy ? "bug" : "verified") << run.text << run.result.dump(1);
    EXPECT_EQ(has_race(run), racy) << run.text;
  }
}

// The same executable with the stock runtime. A race that needs a schedule may be missed there; it
// does not know about fences and about reference counts of exceptions, and whether it then gives a
// false alarm depends on how its threads happen to run. Even a race of every schedule it can
// forget, so it gets a few runs to see it; a clean program must be clean in the first.
TEST_P(Races, AsThreadSanitizerSaysWhereOneRunCanTell) {
  const nlohmann::json& row = GetParam();
  const bool racy = row["racy"];
  if (racy && !row["every_schedule"].get<bool>()) return;
  const Scratch folder;
  const std::filesystem::path program =
      build(kRaces / row["program"].get<std::string>(), {"-O1"}, folder.path());
  if (row.value("stock_false_alarm", false)) return;
  Finished run;
  bool reported = false;
  for (int attempt = 0; attempt < (racy ? 10 : 1) && !reported; ++attempt) {
    run = spawn({"setarch", "-R", program.string()}, folder.path());
    reported = run.err.find("WARNING: ThreadSanitizer") != std::string::npos;
  }
  EXPECT_EQ(reported, racy) << run.out << run.err;
}

INSTANTIATE_TEST_SUITE_P(All, Races, testing::ValuesIn(rows()), name_of);

TEST(RaceReport, HasBothSides) {
  const MazurRun run = check(kRaces / "locks/two_mutexes.c", {"-O1"});
  ASSERT_EQ(run.result["errors"].size(), 1u) << run.text;
  const auto& error = run.result["errors"][0];
  std::vector<int> lines;
  for (const auto& frame : error["frames"])
    if (frame["file"].get<std::string>().ends_with("two_mutexes.c")) lines.push_back(frame["line"]);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), 10), 1) << error.dump(1);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), 19), 1) << error.dump(1);
  EXPECT_NE(error["message"].get<std::string>().find("earlier"), std::string::npos);
}

TEST(RaceReport, KeepGoingFindsEveryPairOfPlaces) {
  const MazurRun run = check(kRaces / "more" / "several.cpp", {"-O1", "--keep-going"});
  EXPECT_EQ(run.result["errors"].size(), 3u) << run.result["errors"].dump(1);
}

TEST(RaceOptions, IgnoreAndSuppressionsSilence) {
  const Scratch folder;
  const std::string other = folder.write("other.txt", "# known\nrace:^no_such_function$\n");
  const std::string function = folder.write("function.txt", "race:^run$\n");
  const std::string file = folder.write("file.txt", "race_top:plain_*.c\n");
  const auto verdict = [&](const std::string& option) {
    return check(kRaces / "threads/plain_counter.c", {"-O1", option}).verdict();
  };
  EXPECT_EQ(verdict("--races=report"), "bug");
  EXPECT_EQ(verdict("--races=ignore"), "verified");
  EXPECT_EQ(verdict("--suppressions=" + other), "bug");
  EXPECT_EQ(verdict("--suppressions=" + function), "verified");
  EXPECT_EQ(verdict("--suppressions=" + file), "verified");
}

// With --races=explore, plain accesses are events: the increments of plain variables have as many
// traces as those of atomic ones that load and store apart.
TEST(RaceOptions, ExploreCountsAsAtomics) {
  const auto count = [](const char* kind) {
    return check(kRaces / "more" / "increments.c", {"-O1", "--races=explore", kind}).complete();
  };
  const long atomic = count("-DATOMIC");
  EXPECT_GT(atomic, 1);
  EXPECT_EQ(count("-DPLAIN"), atomic);
  EXPECT_EQ(count("-DVOLATILE"), atomic);
}

// What an uninitialised variable shows is the same in every execution; else they do not replay.
TEST(RaceOptions, ExploreStartsOnClearStacks) {
  for (const char* level : {"-O0", "-O1"}) {
    const MazurRun run = check(kRaces / "more" / "stack_garbage.cpp", {level, "--races=explore"});
    EXPECT_EQ(run.verdict(), "verified") << run.text;
    EXPECT_EQ(run.complete(), 504) << run.text;
  }
}

}  // namespace
}  // namespace mazur::test
