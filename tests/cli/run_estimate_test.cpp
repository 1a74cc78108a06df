// What is told of a run with a ledger: by whoever works on it, and by whoever looks.
#include "cli/crew/run_estimate.h"

#include <gtest/gtest.h>

#include <string>

#include "spawn.h"
#include "work/open_store.h"

namespace mazur {
namespace {

class RunEstimateTest : public testing::Test {
 protected:
  std::unique_ptr<Ledger> open(bool keep_going = true) const {
    return std::make_unique<Ledger>(open_store(folder_ / "run.db", Opening::kCreate),
                                    RunFacts{.terms = "terms", .keep_going = keep_going});
  }
  // Half of it, if all estimates were right.
  static Explored work(RunEstimate& estimate, double all = 10'000) {
    for (std::uint64_t n = 10; n <= 5000; n += 10)
      estimate.note({.complete = n}, static_cast<double>(n) / all);
    estimate.keep();
    return estimate.told({.complete = 5000});
  }
  const Scratch folder_;
};

TEST_F(RunEstimateTest, WhoeverLooksIsToldTheSame) {
  const auto ledger = open();
  RunEstimate estimate(*ledger);
  EXPECT_FALSE(estimate.told({.complete = 5000}).known());
  const Explored told = work(estimate);
  EXPECT_GT(told.at_least, 0.1);
  EXPECT_LE(told.at_least, 0.5);
  EXPECT_GE(told.at_most, 0.5);
  Ledger look(open_store(folder_ / "run.db", Opening::kLook));
  EXPECT_EQ(RunEstimate(look).told({.complete = 5000}), told);
}

TEST_F(RunEstimateTest, WhoeverGoesOnKnowsWhatWasEstimated) {
  const auto note = [this] {
    const auto ledger = open();
    RunEstimate estimate(*ledger);
    estimate.note({.complete = 6000}, 0.6);
    return estimate.told({.complete = 6000});
  };
  EXPECT_GT(note().at_least, 0);
  {
    const auto ledger = open();
    RunEstimate estimate(*ledger);
    work(estimate, 50'000);
  }
  EXPECT_EQ(note().at_least, 0);
}

TEST_F(RunEstimateTest, NothingIsToldAfterAnErrorThatEndsTheSearch) {
  const auto ledger = open(false);
  RunEstimate estimate(*ledger);
  EXPECT_TRUE(work(estimate).known());
  EXPECT_FALSE(estimate.told({.complete = 5000, .failures = 1}).known());
  EXPECT_FALSE(estimate.told({.bounded = 5000}).known());
}

TEST_F(RunEstimateTest, NothingIsLeftOfItWhenTheRunBeginsAgain) {
  const auto ledger = open();
  RunEstimate estimate(*ledger);
  work(estimate);
  SliceEnd outdated;
  outdated.outdated = true;
  ledger->finish(*ledger->claim(), outdated, {});
  EXPECT_FALSE(estimate.told({.complete = 5000}).known());
  EXPECT_FALSE(RunEstimate(*ledger).told({.complete = 5000}).known());
}

TEST_F(RunEstimateTest, BytesThatMakeNoSenseAreNotBelieved) {
  const auto ledger = open();
  RunEstimate estimate(*ledger);
  work(estimate);
  const std::string bytes = *ledger->get("report/estimates");
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::string bad = bytes;
    bad[i] = static_cast<char>(bad[i] ^ 0x55);
    ledger->replace("report/estimates", bad);
    const Explored told = RunEstimate(*ledger).told({.complete = 5000});
    EXPECT_GE(told.at_least, 0);
    EXPECT_LE(told.at_most, 1);
  }
}

}  // namespace
}  // namespace mazur
