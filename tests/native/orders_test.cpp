// Memory orders on compiled programs: which would forbid a failing execution; and which fences.
#include <gtest/gtest.h>

#include <fstream>

#include "run_mazur.h"

namespace mazur::test {
namespace {

// The line of a source with this text in it.
int line_of(const std::string& file, const std::string& text) {
  std::ifstream in(file);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number)
    if (line.find(text) != std::string::npos) return number;
  return 0;
}

class ForbiddingOrders : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("mazur-orders-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    program_ = build(kStale, {GetParam(), "-g"}, folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  MazurRun check(const std::string& name, const std::string& memory = "c++20") {
    return run_mazur({"check", program_, "--memory=" + memory, "--json=result.json",
                      "--trace=" + name, "--", name},
                     folder_);
  }
  // "release stale.cpp:20": where such an order would forbid it.
  static std::string at(const std::string& order, const std::string& line) {
    return "memory_order_" + order + " at stale.cpp:" + std::to_string(line_of(kStale, line)) + " ";
  }

  // The same for a fence.
  static std::string between(const std::string& order, const std::string& after,
                             const std::string& before) {
    return "std::atomic_thread_fence(std::memory_order_" + order + ") between lines " +
           std::to_string(line_of(kStale, after)) + " and " +
           std::to_string(line_of(kStale, before)) + " of stale.cpp\n";
  }

  static inline const std::string kStale = MAZUR_TEST_SOURCES "/native/orders/stale.cpp";
  std::filesystem::path folder_;
  std::string program_;
};

TEST_P(ForbiddingOrders, AreTheLinesOfAPair) {
  const MazurRun run = check("message");
  ASSERT_EQ(run.verdict(), "bug") << run.text;
  EXPECT_NE(run.text.find("These memory orders together would forbid this execution:"),
            std::string::npos)
      << run.text;
  for (const std::string& text :
       {at("release", "message: publishes"), at("acquire", "message: looks")})
    EXPECT_NE(run.text.find(text), std::string::npos) << text << "\n" << run.text;
  const auto& orders = run.result["errors"][0]["forbidden_by"];
  ASSERT_EQ(orders.size(), 2u) << run.text;
  EXPECT_EQ(orders[0]["order"], "release");
  EXPECT_EQ(orders[0]["operation"], "store");
  EXPECT_EQ(orders[0]["line"], line_of(kStale, "message: publishes"));
  EXPECT_EQ(orders[1]["order"], "acquire");
  EXPECT_EQ(orders[1]["operation"], "load");
}

TEST_P(ForbiddingOrders, AreShownFromTheTraceAlone) {
  ASSERT_EQ(check("message").verdict(), "bug");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"show", "message-1.trace"},
        std::vector<std::string>{"replay", "message-1.trace"}}) {
    const MazurRun run = run_mazur(command, folder_);
    EXPECT_NE(run.text.find(at("release", "message: publishes")), std::string::npos) << run.text;
    EXPECT_NE(run.text.find(at("acquire", "message: looks")), std::string::npos) << run.text;
  }
}

TEST_P(ForbiddingOrders, KnowWhenAnObjectBeganAnew) {
  const MazurRun run = check("reused");
  ASSERT_EQ(run.verdict(), "bug") << run.text;
  EXPECT_NE(run.text.find(at("release", "reused: publishes")), std::string::npos) << run.text;
  EXPECT_NE(run.text.find(at("acquire", "reused: looks")), std::string::npos) << run.text;
}

TEST_P(ForbiddingOrders, DependOnTheModel) {
  const MazurRun weak = check("buffered");
  ASSERT_EQ(weak.verdict(), "bug") << weak.text;
  EXPECT_NE(weak.text.find(at("seq_cst", "buffered: stores")), std::string::npos) << weak.text;
  EXPECT_NE(weak.text.find(at("seq_cst", "buffered: loads")), std::string::npos) << weak.text;
  const MazurRun tso = check("buffered", "tso");
  ASSERT_EQ(tso.verdict(), "bug") << tso.text;
  EXPECT_NE(tso.text.find("This memory order would forbid this execution:"), std::string::npos)
      << tso.text;
  EXPECT_NE(tso.text.find(at("seq_cst", "buffered: stores")), std::string::npos) << tso.text;
}

TEST_P(ForbiddingOrders, CanBeThoseOfFences) {
  const MazurRun shared = check("buffered");
  ASSERT_EQ(shared.verdict(), "bug") << shared.text;
  EXPECT_NE(shared.text.find("  So would this fence:\n    " +
                             between("seq_cst", "buffered: stores", "buffered: loads")),
            std::string::npos)
      << shared.text;
  const MazurRun dekker = check("dekker", "tso");
  ASSERT_EQ(dekker.verdict(), "bug") << dekker.text;
  EXPECT_NE(
      dekker.text.find("  So would these fences together:\n    " +
                       between("seq_cst", "dekker: first store", "dekker: first load") + "    " +
                       between("seq_cst", "dekker: second store", "dekker: second load")),
      std::string::npos)
      << dekker.text;
  const auto& fences = dekker.result["errors"][0]["forbidden_by_fences"];
  ASSERT_EQ(fences.size(), 2u) << dekker.text;
  EXPECT_EQ(fences[0]["order"], "seq_cst");
  EXPECT_EQ(fences[0]["after_line"], line_of(kStale, "dekker: first store"));
  EXPECT_EQ(fences[0]["before_line"], line_of(kStale, "dekker: first load"));
  const MazurRun seqlock = check("seqlock");
  ASSERT_EQ(seqlock.verdict(), "bug") << seqlock.text;
  for (const std::string& text :
       {between("release", "seqlock: is being written", "seqlock: writes"),
        between("acquire", "seqlock: reads", "seqlock: looks again")})
    EXPECT_NE(seqlock.text.find(text), std::string::npos) << text << "\n" << seqlock.text;
}

// One order is enough where the stores are compiled with a barrier behind them.
TEST_P(ForbiddingOrders, ComeBeforeFences) {
  const MazurRun run = check("buffered", "tso");
  EXPECT_EQ(run.text.find("fence"), std::string::npos) << run.text;
}

TEST_P(ForbiddingOrders, AreNotLookedForWithoutOldValues) {
  const MazurRun run = check("counter");
  ASSERT_EQ(run.verdict(), "bug") << run.text;
  EXPECT_EQ(run.text.find("would forbid"), std::string::npos) << run.text;
  EXPECT_FALSE(run.result["errors"][0].contains("forbidden_by")) << run.text;
}

INSTANTIATE_TEST_SUITE_P(Native, ForbiddingOrders, testing::Values("-O0", "-O2"),
                         [](const auto& each) { return std::string(each.param).substr(1); });

}  // namespace
}  // namespace mazur::test
