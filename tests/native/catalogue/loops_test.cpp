// Loops that wait. Without a bound, each program is verified, with three threads too where that is
// soon done; with its seeded bug (-DBUG) the error is found and its line named.
#include <gtest/gtest.h>

#include <fstream>

#include "cli/spawn.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kLoops = MAZUR_TEST_SOURCES "/native/loops";

std::vector<nlohmann::json> rows() {
  std::ifstream in(kLoops / "manifest.json");
  const nlohmann::json all = nlohmann::json::parse(in);
  return {all.begin(), all.end()};
}

class Loops : public testing::TestWithParam<nlohmann::json> {
 protected:
  std::filesystem::path program() const {
    return kLoops / GetParam()["program"].get<std::string>();
  }
};

TEST_P(Loops, IsVerified) {
  const Scratch folder;
  const int most = GetParam().value("threads", 2);
  for (int threads = 2; threads <= most; ++threads) {
    const std::string count = "-DTHREADS=" + std::to_string(threads);
    const std::filesystem::path built = build(program(), {"-O1", count}, folder.path());
    for (const char* option :
         {"--algorithm=optimal", "--algorithm=source", "--algorithm=dpor", "--isolation=fork"}) {
      // A process of its own for each execution does not know the trace: repetitions of rounds that
      // have seen each other are not found there.
      if (option == std::string("--isolation=fork") && !GetParam().value("fork", true)) continue;
      const MazurRun run = check(built, {option});
      EXPECT_EQ(run.verdict(), "verified") << option << " " << count << "\n" << run.text;
    }
  }
}

TEST_P(Loops, IsVerifiedWithoutOptimisation) {
  const MazurRun run = check(program(), {"-O0"});
  EXPECT_EQ(run.verdict(), "verified") << run.text;
}

TEST_P(Loops, ItsBugIsFound) {
  const MazurRun run = check(program(), {"-O1", "-DBUG"});
  ASSERT_EQ(run.verdict(), "bug") << run.text;
  const nlohmann::json& error = run.result["errors"][0];
  EXPECT_EQ(error["kind"], GetParam()["kind"]) << error.dump(1);
  bool named = false;
  const std::string name = program().filename();
  for (const auto& frame : error["frames"])
    if (frame["file"].get<std::string>().ends_with(name))
      for (const auto& line : GetParam()["lines"]) named |= frame["line"] == line;
  EXPECT_TRUE(named) << GetParam().dump() << error.dump(1);
}

INSTANTIATE_TEST_SUITE_P(All, Loops, testing::ValuesIn(rows()),
                         [](const auto& info) { return test_name(info.param["program"]); });

// A loop that changes nothing is cut by the bound when it is let run.
TEST(LoopsThatRun, AreCutByTheBound) {
  const MazurRun run = check(kLoops / "two_flags.cpp", {"-O1", "--loops=run", "--max-steps=50"});
  EXPECT_EQ(run.verdict(), "incomplete") << run.text;
}

// However a compiler keeps what was read: at -O0 in a slot of the frame that every round writes anew.
TEST(LoopsForTheLastOfManyStores, AreExploredOnceForEachStore) {
  for (const std::string level : {"-O0", "-O1", "-O2"})
    for (const std::string compiler : {"gcc", "clang"}) {
      const auto run = [&](std::vector<std::string> arguments) {
        std::vector<std::string> words = {level};
        if (compiler == "clang") words.emplace_back("--compiler=clang");
        words.emplace_back("--");
        words.insert(words.end(), arguments.begin(), arguments.end());
        return check(kLoops / "last_write.c", words);
      };
      for (const int last : {2, 6, 12}) {
        const MazurRun all = run({std::to_string(last)});
        EXPECT_EQ(all.verdict(), "verified") << all.text;
        EXPECT_LE(all.complete() + all.assume_blocked(), last + 2) << all.text;
      }
      // What it keeps of rounds before is compared: it can see none to all of the stores before the
      // last one.
      for (const int changes : {0, 1, 2, 3})
        EXPECT_EQ(run({"3", std::to_string(changes)}).verdict(), changes < 3 ? "bug" : "verified")
            << level << compiler << changes;
    }
}

}  // namespace
}  // namespace mazur::test
