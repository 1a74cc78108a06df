#include "explore/observers/done_set.h"

#include <gtest/gtest.h>

#include "../trace/events.h"

namespace mazur {
namespace {

constexpr ObjectId kX = 64, kY = 128;

class Done : public testing::Test {
 protected:
  Done() { done_.push(trace_); }

  // The step has been explored after the prefix that the trace is now.
  void explored(const Event& e, bool cut = false, bool pruned = false) {
    done_.add(steps_.add(e), cut, pruned);
  }
  void run(const Event& e) {
    trace_.append(e);
    done_.push(trace_);
  }
  std::size_t known() const { return done_.at(trace_.size()).size(); }
  const DoneSets::Entry& entry() const { return done_.at(trace_.size())[0]; }

  StepTable steps_;
  Observation observation_{true};
  DoneSets done_{steps_, observation_};
  Trace trace_;
};

TEST_F(Done, IndependentStepsLeaveItAsleep) {
  explored(store(0, kX));
  run(load(1, kY));
  EXPECT_TRUE(done_.asleep(1, {0, 0}));
  EXPECT_FALSE(done_.asleep(1, {0, 1}));
  EXPECT_FALSE(entry().overtaken);
  EXPECT_EQ(entry().origin, 0u);
}

TEST_F(Done, AReadOfTheSameBytesWakesAStore) {
  explored(store(0, kX));
  run(load(1, kX));
  EXPECT_EQ(known(), 0u);
  EXPECT_EQ(done_.at(0).size(), 1u);
}

TEST_F(Done, AStoreThatNobodySawOnlyOvertakesAStore) {
  explored(store(0, kX));
  run(store(1, kX));
  ASSERT_EQ(known(), 1u);
  EXPECT_TRUE(entry().asleep);
  EXPECT_TRUE(entry().overtaken);
  EXPECT_EQ(entry().hidden, 0xffu);
}

TEST_F(Done, AStoreOfSomeBytesHidesThoseAlone) {
  explored(store(0, kX));
  run(store(1, kX + 4, 4));
  ASSERT_EQ(known(), 1u);
  EXPECT_EQ(entry().hidden, 0xf0u);
}

// The store runs after another one. It could have been first as long as nobody has read its value.
TEST_F(Done, AStoreThatRunsAfterAnotherStaysUntilItIsRead) {
  explored(store(0, kX));
  run(store(1, kX));
  run(store(0, kX));
  ASSERT_EQ(known(), 1u);
  EXPECT_FALSE(entry().asleep);
  run(load(2, kX));
  EXPECT_EQ(known(), 0u);
}

TEST_F(Done, AStoreThatRunsAfterAnotherStaysIfAThirdHidesBoth) {
  explored(store(0, kX));
  run(store(1, kX));
  run(store(0, kX));
  run(store(3, kX));
  run(load(2, kX));
  EXPECT_EQ(known(), 1u);
}

TEST_F(Done, AnotherOutcomeOfTheSameStepIsNotCovered) {
  Event choice = event(0, OpKind::kChoose, 0, 0);
  choice.ways = 2;
  explored(choice);
  choice.choice = 1;
  run(choice);
  EXPECT_EQ(known(), 0u);
}

TEST_F(Done, CreationAndJoinLeaveTheStepsOfOthersAsTheyAre) {
  explored(store(0, kX), /*cut=*/true, /*pruned=*/true);
  run(event(1, OpKind::kCreate, 2, 0));
  ASSERT_EQ(known(), 1u);
  EXPECT_TRUE(entry().asleep);
  EXPECT_TRUE(entry().cut);
  EXPECT_TRUE(entry().pruned);
}

TEST_F(Done, ShorterPrefixesAreKept) {
  explored(store(0, kX));
  run(load(1, kY));
  run(load(1, kX));
  done_.truncate(2);
  EXPECT_EQ(done_.depth(), 2u);
  EXPECT_TRUE(done_.asleep(1, {0, 0}));
}

}  // namespace
}  // namespace mazur
