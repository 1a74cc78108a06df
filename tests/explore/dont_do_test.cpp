#include "explore/context/dont_do.h"

#include <gtest/gtest.h>

#include "../trace/events.h"

namespace mazur {
namespace {

constexpr ObjectId kX = 64, kY = 128, kZ = 192;
constexpr DontDo::Swap kSwap{1, 0, 0};

class DontDoSets : public testing::Test {
 protected:
  explicit DontDoSets(bool observers = false) : observation_(observers) { sets_.push_empty(); }

  void add(std::size_t depth, const std::vector<Event>& events, DontDo::Swap swap = kSwap) {
    DontDo::Sequence sequence;
    for (const Event& e : events) sequence.push_back(steps_.add(e));
    sets_.add(depth, std::move(sequence), swap);
  }

  StepTable steps_;
  Observation observation_;
  DontDo sets_{steps_, observation_};
};

TEST_F(DontDoSets, OnlyASequenceOfOneStepForbidsIt) {
  add(0, {store(1, kX), store(0, kX)});
  EXPECT_FALSE(sets_.contains(0, {1, 0}));
  EXPECT_FALSE(sets_.empty(0));
  sets_.push_after(store(1, kX));
  EXPECT_TRUE(sets_.contains(1, {0, 0}));
  EXPECT_FALSE(sets_.contains(1, {0, 1})) << "another outcome is another step";
  EXPECT_FALSE(sets_.contains(1, {1, 0}));
}

TEST_F(DontDoSets, SequencesStayAsLongAsWhatRunsIsIndependent) {
  add(0, {store(1, kX), store(0, kX)});
  sets_.push_after(store(2, kY));
  EXPECT_FALSE(sets_.empty(1));
  sets_.push_after(load(3, kX));
  EXPECT_TRUE(sets_.empty(2)) << "it depends on the sequence";
  EXPECT_FALSE(sets_.empty(1));
}

TEST_F(DontDoSets, AThreadThatGoesAnotherWayEndsTheSequence) {
  add(0, {store(1, kX), store(0, kX)});
  Event other = store(1, kX);
  other.choice = 1;
  sets_.push_after(other);
  EXPECT_TRUE(sets_.empty(1));
}

TEST_F(DontDoSets, ALaterStepMayRunFirstIfItIsIndependentOfThoseBefore) {
  add(0, {store(1, kX), store(2, kY), store(0, kX)});
  sets_.push_after(store(2, kY));
  sets_.push_after(store(1, kX));
  EXPECT_TRUE(sets_.contains(2, {0, 0}));
  sets_.truncate(1);
  sets_.push_after(store(0, kX));
  EXPECT_TRUE(sets_.empty(1)) << "it depends on the first step";
}

TEST_F(DontDoSets, WhatIsBannedIsTakenBackAndNotAddedAgain) {
  constexpr DontDo::Swap kOther{2, 0, 0};
  add(0, {store(0, kX)});
  add(0, {store(0, kX)}, kOther);
  sets_.ban(0, kSwap);
  EXPECT_TRUE(sets_.contains(0, {0, 0})) << "because of the other pair";
  sets_.ban(0, kOther);
  EXPECT_TRUE(sets_.empty(0));
  add(0, {store(0, kX)});
  EXPECT_TRUE(sets_.empty(0));
}

TEST_F(DontDoSets, TruncatedPrefixesForgetWhatWasBanned) {
  sets_.push_after(store(2, kZ));
  sets_.ban(1, kSwap);
  sets_.truncate(1);
  sets_.push_after(store(2, kZ));
  add(1, {store(0, kX)});
  EXPECT_TRUE(sets_.contains(1, {0, 0}));
}

class ObservedDontDoSets : public DontDoSets {
 protected:
  ObservedDontDoSets() : DontDoSets(/*observers=*/true) {}
};

// Section 4.4: the order of two stores does not matter if a third one hides both.
TEST_F(ObservedDontDoSets, AStoreMayOvertakeAnotherThatALaterOneHides) {
  add(0, {store(1, kX), store(2, kX), store(3, kX), load(4, kX)});
  sets_.push_after(store(2, kX));
  EXPECT_FALSE(sets_.empty(1));
}

TEST_F(ObservedDontDoSets, AStoreThatIsReadMayNotOvertakeAnother) {
  add(0, {store(1, kX), store(2, kX), load(4, kX), store(3, kX)});
  sets_.push_after(store(2, kX));
  EXPECT_TRUE(sets_.empty(1));
}

}  // namespace
}  // namespace mazur
