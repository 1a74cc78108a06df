#include "trace/blocking/read_past.h"

#include <gtest/gtest.h>

#include "events.h"

namespace mazur {
namespace {

using Events = std::vector<EventIndex>;

constexpr ObjectId kFlag1 = 64, kFlag2 = 72, kLocked = 80;

Events past_of_last(const std::vector<Event>& events) {
  Trace trace(Trace::Relation::kSequence);
  for (const Event& e : events) trace.append(e);
  return read_past(trace, static_cast<EventIndex>(events.size() - 1));
}

Event said(Event e, StoreRef ref) {
  e.label.ref = ref;
  return e;
}

TEST(ReadPast, AReadKnowsItsStoreAndWhatThatKnows) {
  EXPECT_EQ(past_of_last({store(1, kFlag2), store(1, kFlag1), store(2, kFlag2), load(3, kFlag1)}),
            (Events{0, 1, 3}));
}

TEST(ReadPast, AnOldValueIsAllThatItKnows) {
  const std::vector<Event> stores{store(1, kFlag1), store(2, kFlag1)};
  auto events = stores;
  events.push_back(said(load(3, kFlag1), 0));
  EXPECT_EQ(past_of_last(events), (Events{0, 2}));
  events = stores;
  events.push_back(said(load(3, kFlag1), kNoStore));
  EXPECT_EQ(past_of_last(events), (Events{2}));
}

TEST(ReadPast, AStoreKnowsNoOtherAndMayComeBehind) {
  EXPECT_EQ(past_of_last({store(1, kFlag1), store(2, kFlag1)}), (Events{1}));
  EXPECT_EQ(past_of_last({store(1, kFlag1), said(store(2, kFlag1), kBehind), load(3, kFlag1)}),
            (Events{0, 2}));
}

TEST(ReadPast, AnUpdateOfAnOldValueIsNotTheNewest) {
  EXPECT_EQ(past_of_last({store(1, kFlag1), store(2, kFlag1),
                          said(event(3, OpKind::kRmw, kFlag1), 0), load(4, kFlag1)}),
            (Events{1, 3}));
}

TEST(ReadPast, WhoGivesBackALockKnowsWhoHasTriedIt) {
  const auto lock = event(1, OpKind::kLock, kLocked), unlock = event(1, OpKind::kUnlock, kLocked);
  const Event tried = failed(event(2, OpKind::kTryLock, kLocked));
  EXPECT_EQ(past_of_last({lock, store(2, kFlag1), tried, unlock}), (Events{0, 1, 2, 3}));
  // Who tries does not know of others who have tried.
  EXPECT_EQ(past_of_last({lock, tried, failed(event(3, OpKind::kTryLock, kLocked))}),
            (Events{0, 2}));
}

TEST(ReadPast, ThreadsKnowTheirCreationAndJoinsTheEnd) {
  const Event create = event(0, OpKind::kCreate, 1), join = event(0, OpKind::kJoin, 1);
  EXPECT_EQ(past_of_last({create, store(2, kFlag2), store(1, kFlag1)}), (Events{0, 2}));
  EXPECT_EQ(past_of_last({create, store(2, kFlag2), store(1, kFlag1), join}), (Events{0, 2, 3}));
}

}  // namespace
}  // namespace mazur
