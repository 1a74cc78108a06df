// --races=explore: plain accesses and the end of a block's life are events.
#include <gtest/gtest.h>

#include "../cli/spawn.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kPlain = MAZUR_TEST_SOURCES "/native/plain";

const std::vector<std::string> kAlgorithms = {
    "naive", "dpor", "source", "optimal", "observers", "context", "context-observers",
    "quasi", "lazy"};

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
    const MazurRun run = check(program, {"--races=explore", "--algorithm=" + algorithm});
    ASSERT_EQ(run.verdict(), "bug") << algorithm << "\n" << run.text;
    EXPECT_EQ(run.result["errors"][0]["kind"], GetParam().kind) << algorithm << "\n" << run.text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Plain, EndOfLife,
    testing::Values(Wrong{"free_read", "use-after-free"}, Wrong{"free_write", "use-after-free"},
                    Wrong{"free_twice", "double-free"}, Wrong{"realloc_read", "use-after-free"},
                    Wrong{"realloc_copies", "assertion"}, Wrong{"free_atomic", "use-after-free"}),
    [](const auto& info) { return std::string(info.param.program); });

TEST(Plain, AFreeObservesNoStores) {
  const Scratch folder;
  const auto program = build(kPlain / "free_after_join.cpp", {"-O1"}, folder.path());
  const auto complete = [&](const std::string& algorithm) {
    const MazurRun run = check(program, {"--races=explore", "--algorithm=" + algorithm});
    EXPECT_EQ(run.verdict(), "verified") << run.text;
    return run.complete();
  };
  EXPECT_EQ(complete("optimal"), 2);
  EXPECT_EQ(complete("observers"), 1);
  EXPECT_EQ(complete("context-observers"), 1);
}

TEST(Plain, AFreeIsShown) {
  const Scratch folder;
  const MazurRun found =
      run_mazur({"check", kPlain / "free_read.cpp", "-g", "--races=explore"}, folder.path());
  EXPECT_NE(found.text.find("free "), std::string::npos) << found.text;
  EXPECT_NE(found.text.find("free_read.cpp:12"), std::string::npos) << found.text;
}

}  // namespace
}  // namespace mazur::test
