// mazur check --weaken: which memory orders suffice.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "run_mazur.h"

namespace mazur::test {
namespace {

// What stands behind "// name: " in the lines of a source.
std::map<int, std::string> named_lines(const std::string& file) {
  std::map<int, std::string> names;
  std::ifstream in(file);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number)
    if (const std::size_t at = line.find("  // "); at != std::string::npos)
      names[number] = line.substr(at + 5);
  return names;
}

class Weaken : public testing::TestWithParam<const char*> {
 protected:
  using Orders = std::map<std::string, std::string>;

  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("mazur-weaken-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    program_ = build(kStrong, {GetParam(), "-g"}, folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  MazurRun check(const std::string& name, std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"check", program_, "--memory=c++20", "--weaken", "--no-trace",
                                     "--json=result.json"});
    options.insert(options.end(), {"--", name});
    return run_mazur(options, folder_);
  }
  // By the names of the lines, without the program's: what is now, and what suffices.
  static Orders suffices(const MazurRun& run) {
    static const std::map<int, std::string> names = named_lines(kStrong);
    Orders orders;
    for (const auto& order : run.result["weakening"]["orders"]) {
      EXPECT_TRUE(order["tried"]) << run.text;
      const std::string& name = names.at(order["line"]);
      orders[name.substr(name.find(": ") + 2) + ", " + order["now"].get<std::string>()] =
          order["suffices"];
    }
    return orders;
  }
  void expect(const std::string& name, const Orders& orders) const {
    const MazurRun run = check(name);
    ASSERT_EQ(run.verdict(), "verified") << run.text;
    EXPECT_EQ(suffices(run), orders) << run.text;
    EXPECT_EQ(run.exit_code, 0);
  }

  static inline const std::string kStrong = MAZUR_TEST_SOURCES "/native/orders/strong.cpp";
  std::filesystem::path folder_;
  std::string program_;
};

TEST_P(Weaken, AMessageNeedsReleaseAndAcquireOfTheFlag) {
  expect("message", {{"writes, seq_cst", "relaxed"},
                     {"publishes, seq_cst", "release"},
                     {"looks, seq_cst", "acquire"},
                     {"reads, seq_cst", "relaxed"}});
}

TEST_P(Weaken, PlainDataKeepsWhatGuardsIt) {
  expect("guarded", {{"idle, seq_cst", "relaxed"},
                     {"publishes, seq_cst", "release"},
                     {"looks, seq_cst", "acquire"}});
}

TEST_P(Weaken, DekkerNeedsAllOfIt) {
  expect("dekker", {{"first store, seq_cst", "seq_cst"},
                    {"first load, seq_cst", "seq_cst"},
                    {"second store, seq_cst", "seq_cst"},
                    {"second load, seq_cst", "seq_cst"}});
  const MazurRun run = check("dekker");
  EXPECT_FALSE(run.result["weakening"].contains("proof")) << run.text;
  EXPECT_NE(run.text.find("none can be weaker"), std::string::npos) << run.text;
}

TEST_P(Weaken, ALockNeedsAcquireAndRelease) {
  expect("exchange", {{"takes, seq_cst", "acquire"}, {"gives back, seq_cst", "release"}});
  expect("compare", {{"takes, seq_cst", "acquire"}, {"gives back, release", "release"}});
}

TEST_P(Weaken, AFenceCanGo) {
  expect(
      "fences",
      {{"before, seq_cst", "release"}, {"idle, seq_cst", "none"}, {"after, acq_rel", "acquire"}});
}

TEST_P(Weaken, OneCallCanHaveSeveralOrders) {
  expect("orders", {{"adds, seq_cst", "relaxed"}, {"adds, release", "relaxed"}});
}

TEST_P(Weaken, LinesThatAreReachedLaterAreTriedAsWell) {
  const MazurRun run = check("reached");
  ASSERT_EQ(run.verdict(), "verified") << run.text;
  const Orders found = suffices(run);
  EXPECT_EQ(found.size(), 4u) << run.text;
  for (const auto& [line, order] : found) EXPECT_EQ(order, "relaxed") << line << "\n" << run.text;
}

TEST_P(Weaken, TheTableAndTheProofAreShown) {
  const MazurRun run = check("message");
  EXPECT_NE(run.text.find("\nMemory orders that suffice for this test\n"), std::string::npos)
      << run.text;
  EXPECT_NE(run.text.find("store      seq_cst  release    flag.store(1);"), std::string::npos)
      << run.text;
  EXPECT_NE(run.text.find("verified again with these orders, all together: 2 executions, "),
            std::string::npos)
      << run.text;
  EXPECT_NE(run.text.find("That holds for this test alone"), std::string::npos) << run.text;
  EXPECT_EQ(run.result["weakening"]["proof"]["executions"], 2) << run.text;
  EXPECT_GE(run.result["weakening"]["explorations"], 4) << run.text;
}

TEST_P(Weaken, ForkedExecutionsFindTheSame) {
  const MazurRun run = check("message", {"--isolation=fork"});
  ASSERT_EQ(run.verdict(), "verified") << run.text;
  EXPECT_EQ(suffices(run)["publishes, seq_cst"], "release") << run.text;
  EXPECT_EQ(suffices(run)["reads, seq_cst"], "relaxed") << run.text;
}

TEST_P(Weaken, WhatIsNotVerifiedGetsItsReport) {
  const MazurRun run = check("wrong");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.verdict(), "bug") << run.text;
  EXPECT_NE(run.text.find("Data race"), std::string::npos) << run.text;
  EXPECT_NE(run.text.find("--weaken needs a verified program"), std::string::npos) << run.text;
  EXPECT_FALSE(run.result.contains("weakening")) << run.text;
}

TEST_P(Weaken, WhatCannotBeCombinedIsRefused) {
  const MazurRun run =
      run_mazur({"check", kStrong, "--memory=c++20", "--weaken", "--svcomp"}, folder_);
  EXPECT_EQ(run.exit_code, 2) << run.text;
  EXPECT_NE(run.text.find("--weaken cannot be combined with --svcomp or --property"),
            std::string::npos)
      << run.text;
}

INSTANTIATE_TEST_SUITE_P(Native, Weaken, testing::Values("-O0", "-O2"),
                         [](const auto& each) { return std::string(each.param).substr(1); });

}  // namespace
}  // namespace mazur::test
