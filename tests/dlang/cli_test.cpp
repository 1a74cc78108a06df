// mazur check, replay and show with dlang programs.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/spawn.h"

namespace mazur {
namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

class Dlang : public testing::Test {
 protected:
  Finished mazur(std::vector<std::string> words) const {
    words.insert(words.begin(), MAZUR);
    return spawn(words, here_.path());
  }
  std::string example(const std::string& name) const {
    return here_.write(name + ".dlang", contents_of(EXAMPLES "/" + name + ".dlang"));
  }
  Scratch here_;
};

TEST_F(Dlang, IsVerifiedByEveryExplorer) {
  example("branching");
  for (const char* algorithm : {"optimal", "source", "dpor", "lazy", "quasi"}) {
    const auto run =
        mazur({"check", "branching.dlang", std::string("--algorithm=") + algorithm, "--json=-"});
    EXPECT_EQ(run.code, 0) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json["verdict"], "verified");
    EXPECT_EQ(json["algorithm"], algorithm);
    EXPECT_EQ(json["executions"]["complete"], 103);
    EXPECT_EQ(json["errors"].size(), 0u);
  }
  // Random walks never prove anything.
  for (const char* algorithm : {"random", "pct", "naive"}) {
    const auto run = mazur({"check", "branching.dlang", std::string("--algorithm=") + algorithm,
                            "--max-executions=50"});
    EXPECT_EQ(run.code, 3) << run.out;
  }
}

// What an explorer runs of a program, and the errors that it finds.
struct Explored {
  int code = 0;
  int complete = 0;
  bool unproven = false;
  std::set<std::string> errors;
};

TEST_F(Dlang, EveryExampleRunsUnderEveryExplorer) {
  int programs = 0;
  for (const auto& file : std::filesystem::directory_iterator(EXAMPLES)) {
    if (file.path().extension() != ".dlang") continue;
    ++programs;
    const auto explored = [&](const char* algorithm) {
      const auto run = mazur({"check", file.path(), std::string("--algorithm=") + algorithm,
                              "--keep-going", "--no-trace", "--json=-"});
      Explored result{.code = run.code};
      const auto json = nlohmann::json::parse(run.out);
      result.unproven =
          json.value("reason", "") == "this algorithm is not proven to reach every outcome";
      result.complete = json["executions"]["complete"];
      for (const auto& error : json["errors"]) result.errors.insert(error["message"]);
      return result;
    };
    const Explored optimal = explored("optimal");
    ASSERT_LE(optimal.code, 1) << file.path();
    for (const char* algorithm :
         {"dpor", "source", "quasi", "lazy", "observers", "context", "context-observers"}) {
      SCOPED_TRACE(file.path().filename().string() + " " + algorithm);
      const Explored other = explored(algorithm);
      EXPECT_TRUE(other.code == optimal.code || (optimal.code == 0 && other.unproven));
      EXPECT_EQ(other.errors, optimal.errors);
      const std::string name = algorithm;
      if (name.starts_with("context") || name == "observers")
        EXPECT_LE(other.complete, optimal.complete);
      else
        EXPECT_EQ(other.complete, optimal.complete);
    }
  }
  EXPECT_GE(programs, 13);
}

TEST_F(Dlang, OptionsOfExplorersCount) {
  example("branching");
  const auto run = mazur(
      {"check", "branching.dlang", "--algorithm=quasi", "--k=1", "--stats", "--json=result.json"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "thread trees: ")) << run.out;
  const auto json = nlohmann::json::parse(contents_of(here_.path() + "/result.json"));
  EXPECT_EQ(json["executions"]["complete"], 103);
  EXPECT_GT(json["executions"]["blocked"], 0);  // none with the default, --k=0
}

TEST_F(Dlang, WithStoredStatesOnlyFinalStatesAreClaimed) {
  example("readers-writers");
  const auto run =
      mazur({"check", "readers-writers.dlang", "--algorithm=lazy", "--stored-states=on"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(
      contains(run.out, "verified under sequential consistency: every final state was reached"))
      << run.out;
  EXPECT_FALSE(contains(run.out, "every trace")) << run.out;
  EXPECT_TRUE(contains(run.out, "algorithm lazy with stored states")) << run.out;
}

TEST_F(Dlang, ReportsAnErrorWithItsLineAndReplaysIt) {
  example("lost-update");
  const auto run = mazur({"check", "lost-update.dlang", "--json=result.json"});
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(contains(run.out, "Assertion failed in thread 3 at lost-update.dlang:13")) << run.out;
  EXPECT_TRUE(contains(run.out, "counter == 2 (1 == 2)")) << run.out;
  EXPECT_TRUE(contains(run.out, "lost-update.dlang:6   seen := counter")) << run.out;
  const auto json = nlohmann::json::parse(contents_of(here_ / "result.json"));
  EXPECT_EQ(json["verdict"], "bug");
  EXPECT_EQ(json["errors"][0]["kind"], "assertion");
  EXPECT_EQ(json["errors"][0]["trace"], "lost-update-1.trace");
  EXPECT_EQ(json["errors"][0]["frames"][0]["line"], 13);

  const auto again = mazur({"replay", "lost-update-1.trace"});
  EXPECT_EQ(again.code, 1) << again.out << again.err;
  EXPECT_EQ(again.err, "");
  EXPECT_TRUE(contains(again.out, "lost-update.dlang:13")) << again.out;
  const auto shown = mazur({"show", "lost-update-1.trace"});
  EXPECT_EQ(shown.code, 0);
  EXPECT_TRUE(contains(shown.out, "await done == 2")) << shown.out;
  EXPECT_EQ(mazur({"show", "lost-update-1.trace", "--html=page.html"}).code, 0);
  EXPECT_TRUE(contains(contents_of(here_.path() + "/page.html"), "<svg "));
  EXPECT_EQ(mazur({"show", "lost-update-1.trace", "--html=no/such/folder"}).code, 2);
  EXPECT_EQ(mazur({"show", "lost-update-1.trace", "--html="}).code, 2);
  EXPECT_EQ(mazur({"replay", "lost-update-1.trace", "--gdb"}).code, 2);
}

TEST_F(Dlang, ATraceDoesNotFitAnotherProgram) {
  example("lost-update");
  ASSERT_EQ(mazur({"check", "lost-update.dlang"}).code, 1);
  here_.write("lost-update.dlang", contents_of(EXAMPLES "/lost-update-fixed.dlang"));
  const auto again = mazur({"replay", "lost-update-1.trace"});
  EXPECT_EQ(again.code, 4);
  EXPECT_TRUE(contains(again.err, "the program has changed")) << again.err;
}

TEST_F(Dlang, BoundsAreKeptAndNeverVerify) {
  example("peterson");
  const auto preemptions = mazur({"check", "peterson.dlang", "--preemption-bound=0"});
  EXPECT_EQ(preemptions.code, 3) << preemptions.out << preemptions.err;
  here_.write("spin.dlang", "<2, x 1> [while x == 0 { }] [x := 1]\n");
  const auto loop = mazur({"check", "spin.dlang", "--unroll=3"});
  EXPECT_EQ(loop.code, 3) << loop.out << loop.err;
  EXPECT_EQ(mazur({"check", "spin.dlang", "--max-steps=50", "--max-executions=100"}).code, 3);
}

TEST_F(Dlang, ReportsADeadlockByNames) {
  example("philosophers");
  const auto run = mazur({"check", "philosophers.dlang"});
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(contains(run.out, "thread 1 waits for mutex fork[1], held by thread 2")) << run.out;
  EXPECT_EQ(mazur({"replay", "philosophers-1.trace"}).code, 1);
}

TEST_F(Dlang, AStatementWithSeveralVariablesIsOneStep) {
  here_.write("several.dlang",
              "<2, x 1, y 1, a 3>\n[x := y + 1]\n[y := 4\na[0] := x + y\nassert a[0] == 4]\n");
  const auto run = mazur({"check", "several.dlang", "--verbose"});
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(contains(run.out, "y = 4")) << run.out;
  EXPECT_TRUE(contains(run.out, "a[0] 0 -> ")) << run.out;
  const auto again = mazur({"replay", "several-1.trace"});
  EXPECT_EQ(again.code, 1) << again.out << again.err;
  EXPECT_EQ(mazur({"show", "several-1.trace"}).code, 0);
}

TEST_F(Dlang, ListsTheSameErrorOnceWhenItKeepsGoing) {
  example("lost-update");
  const auto run = mazur({"check", "lost-update.dlang", "--keep-going", "--json=-"});
  EXPECT_EQ(run.code, 1);
  const auto json = nlohmann::json::parse(run.out);
  ASSERT_EQ(json["errors"].size(), 1u);
  EXPECT_GT(json["errors"][0]["count"], 1);
}

TEST_F(Dlang, RefusesWhatIsNoProgram) {
  here_.write("bad.dlang", "<1, x 1>\n[\n  y := 1\n]\n");
  const auto run = mazur({"check", "bad.dlang"});
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(contains(run.err, "bad.dlang:3:3: there is no variable 'y'.")) << run.err;
  EXPECT_EQ(mazur({"check", "missing.dlang"}).code, 2);
  EXPECT_EQ(mazur({"check", "bad.dlang", "other.cpp"}).code, 2);
  EXPECT_EQ(mazur({"check", "bad.dlang", "-O2"}).code, 2);
  EXPECT_EQ(mazur({"check", "bad.dlang", "--", "argument"}).code, 2);
}

}  // namespace
}  // namespace mazur
