#include "explore/observers/reversal/observed_reversal.h"

#include <gtest/gtest.h>

#include <string>

#include "../trace/events.h"

namespace mazur {
namespace {

constexpr ObjectId kX = 64, kY = 128;

class Observed : public testing::Test {
 protected:
  void follow(const std::vector<Event>& events) {
    trace_ = trace_of(events);
    order_.follow(trace_, 0);
  }
  // v as threads and the first letter of what they do.
  std::string v() {
    std::string s;
    v_.for_each([&](const Event& e) {
      s += std::to_string(e.thread);
      s += e.label.kind == OpKind::kLoad ? 'r' : 'w';
    });
    return s;
  }
  std::string needed() {
    std::string s;
    v_.for_each_needed([&](const Event& e) { s += std::to_string(e.thread); });
    return s;
  }

  Observation observation_{true, MailOrder::kCounted};
  Observability order_{observation_};
  Trace trace_;
  ObservedReversal v_{observation_, order_};
};

TEST_F(Observed, StoresThatNobodyReadAreNoRace) {
  follow({store(0, kX), store(1, kX)});
  EXPECT_TRUE(order_.races(1).empty());
  EXPECT_FALSE(order_.happens_before(0, 1));
}

TEST_F(Observed, AnObservedRaceIsObservedAgain) {
  follow({store(0, kX), store(1, kX), load(2, kX)});
  ASSERT_EQ(order_.races(1).size(), 1u);
  std::vector<EventIndex> observers;
  order_.observers(0, 1, observers);
  ASSERT_EQ(observers, std::vector<EventIndex>{2});
  v_.observed_race(trace_, 0, 1, observers);
  EXPECT_EQ(v_.first(), 0u);
  EXPECT_EQ(v(), "1w0w2r") << "e'.e.o";
  EXPECT_TRUE(v_.possible());
}

TEST_F(Observed, WhatHappensAfterTheObserverIsLeftOut) {
  follow({store(0, kX), store(1, kX), load(2, kX), store(2, kY), store(3, kY + 8)});
  std::vector<EventIndex> observers;
  order_.observers(0, 1, observers);
  v_.observed_race(trace_, 0, 1, observers);
  EXPECT_EQ(v().find("2w"), std::string::npos);
  EXPECT_NE(v().find("3w"), std::string::npos) << "it has nothing to do with the race";
}

TEST_F(Observed, ARaceOfAStoreAndALoadNeedsNoObserver) {
  follow({store(0, kX), store(1, kX), load(2, kX)});
  std::vector<EventIndex> observers;
  order_.observers(1, 2, observers);
  EXPECT_TRUE(observers.empty());
  v_.race(trace_, 1, 2);
  EXPECT_EQ(v_.first(), 1u);
  EXPECT_EQ(v(), "2r");
}

TEST_F(Observed, AStepOfTheThreadThatComesFirstIsAWeakInitial) {
  follow({store(0, kX), store(1, kX), load(2, kX)});
  std::vector<EventIndex> observers;
  order_.observers(0, 1, observers);
  v_.observed_race(trace_, 0, 1, observers);
  const ObservedReversal::Done done{.origin = 0, .ran = false, .independent = true, .hidden = 0};
  EXPECT_EQ(v_.match_done(store(1, kX), done), ObservedReversal::Match::kInitial);
  EXPECT_EQ(v_.match_done(load(2, kX), done), ObservedReversal::Match::kConflict);
  EXPECT_EQ(v_.match_done(store(3, kY), done), ObservedReversal::Match::kIndependent);
}

TEST_F(Observed, WhatNobodyNeedsIsNotKept) {
  follow({store(0, kX), store(3, kY), store(1, kX), load(2, kX)});
  std::vector<EventIndex> observers;
  order_.observers(0, 2, observers);
  v_.observed_race(trace_, 0, 2, observers);
  EXPECT_EQ(v(), "3w1w0w2r");
  EXPECT_EQ(needed(), "102") << "the reversed race and its observer";
}

}  // namespace
}  // namespace mazur
