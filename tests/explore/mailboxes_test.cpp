#include "explore/observers/mailboxes.h"

#include <gtest/gtest.h>

#include "../trace/events.h"
#include "explore/observers/observability.h"

namespace mazur {
namespace {

constexpr std::uint64_t kAnything = ~std::uint64_t{0};

Event counting(ThreadId thread, ObjectId mailbox, std::uint64_t message) {
  Event e = receive(thread, mailbox, message);
  e.label.size = 0;
  return e;
}

TEST(Mailboxes, AreCountedUntilSomebodyLooks) {
  Mailboxes mailboxes(MailOrder::kCounted);
  EXPECT_EQ(mailboxes.order(1), MailOrder::kCounted);
  EXPECT_FALSE(mailboxes.note(send(0, 1, 7).label));
  EXPECT_FALSE(mailboxes.note(counting(1, 1, 7).label));
  EXPECT_EQ(mailboxes.order(1), MailOrder::kCounted);
  mailboxes.next_execution();
  EXPECT_TRUE(mailboxes.note(receive(1, 1, 7).label));
  EXPECT_FALSE(mailboxes.note(receive(1, 1, 7).label)) << "known";
  EXPECT_EQ(mailboxes.order(1), MailOrder::kLooked);
  EXPECT_EQ(mailboxes.order(2), MailOrder::kCounted);
}

TEST(Mailboxes, OfThisExecutionAloneAreNoReasonToStartAgain) {
  Mailboxes mailboxes(MailOrder::kCounted);
  EXPECT_FALSE(mailboxes.note(receive(1, 1, 7).label));
  EXPECT_EQ(mailboxes.order(1), MailOrder::kLooked);
}

TEST(Mailboxes, ATimeoutOrAChoiceOfMessagesIsALook) {
  for (int way = 0; way < 2; ++way) {
    Mailboxes mailboxes(MailOrder::kCounted);
    Label count = counting(1, 1, 7).label;
    if (way == 0) count.timed = true;
    if (way == 1) count.value = kAnything >> 1;
    EXPECT_FALSE(mailboxes.note(counting(1, 1, 7).label));
    mailboxes.next_execution();
    EXPECT_TRUE(mailboxes.note(count));
    EXPECT_EQ(mailboxes.order(1), MailOrder::kLooked) << way;
  }
}

TEST(Mailboxes, WhatTheLabelDoesNotTellIsOrdered) {
  Mailboxes mailboxes(MailOrder::kCounted);
  Label predicate = receive(1, 1, 7).label;
  predicate.size = 2;
  EXPECT_FALSE(mailboxes.note(counting(1, 1, 7).label));
  EXPECT_FALSE(mailboxes.note(counting(1, 2, 7).label));
  mailboxes.next_execution();
  EXPECT_TRUE(mailboxes.note(predicate));
  EXPECT_EQ(mailboxes.order(1), MailOrder::kOrdered);
  EXPECT_TRUE(mailboxes.note(receive(1, 2, 7, 0b1'0101'0101).label)) << "five ranges";
  EXPECT_EQ(mailboxes.order(2), MailOrder::kOrdered);
}

TEST(Mailboxes, NextToOtherWaysToWaitTheyAreLookedAt) {
  Mailboxes mailboxes(MailOrder::kCounted);
  EXPECT_TRUE(mailboxes.note(event(0, OpKind::kAwait, 64).label));
  EXPECT_EQ(mailboxes.order(1), MailOrder::kLooked);
  EXPECT_FALSE(mailboxes.counting());
  Event loop = load(0, 64);
  EXPECT_FALSE(mailboxes.note(loop.label));
  loop.label.object2 = kOwnLocation;
  EXPECT_TRUE(mailboxes.note(loop.label));
  EXPECT_EQ(mailboxes.order(1), MailOrder::kOrdered);
}

// The order of the events, and the observer of the race of the first two.
struct Observed {
  explicit Observed(const std::vector<Event>& events) : trace(trace_of(events)) {
    for (const Event& e : events) observation.note_messages(e.label);
    order.follow(trace, 0);
  }
  std::vector<EventIndex> observers() const {
    std::vector<EventIndex> found;
    order.observers(0, 1, found);
    return found;
  }
  Trace trace;
  Observation observation{true, MailOrder::kCounted};
  Observability order{observation};
};

TEST(ObservedSends, AreOrderedByTheReceiveThatTellsThemApart) {
  const Observed o({send(1, 1, 7), send(2, 1, 8), receive(0, 1, 7)});
  EXPECT_TRUE(o.order.happens_before(0, 1));
  EXPECT_EQ(o.observers(), std::vector<EventIndex>{2});
}

TEST(ObservedSends, AlsoIfTheSecondComesAfterIt) {
  const Observed o({send(1, 1, 7), receive(0, 1, 7), send(2, 1, 8)});
  EXPECT_TRUE(o.order.happens_before(0, 2));
  EXPECT_FALSE(o.order.happens_before(1, 2)) << "it would have taken the same without it";
}

TEST(ObservedSends, HaveNoOrderIfNobodyCompares) {
  const Observed never({send(1, 1, 7), send(2, 1, 8)});
  EXPECT_FALSE(never.order.happens_before(0, 1));
  const Observed other({send(1, 1, 7, 0), send(2, 1, 8, 1), receive(0, 1, 7, 0b01)});
  EXPECT_FALSE(other.order.happens_before(0, 1)) << "it does not accept the second";
  const Observed taken(
      {send(1, 1, 7, 0), send(2, 1, 8, 1), receive(0, 1, 8, 0b10), receive(0, 1, 7)});
  EXPECT_FALSE(taken.order.happens_before(0, 1)) << "the second was taken before";
}

TEST(ObservedSends, ACountedMessageIsNoCause) {
  const Observed o({send(1, 1, 7), send(2, 1, 8), counting(0, 1, 7)});
  EXPECT_FALSE(o.order.happens_before(0, 1));
  EXPECT_FALSE(o.order.happens_before(0, 2));
}

TEST(ObservedSends, ComeAfterATimeoutThatTheyWouldHaveEnded) {
  const Observed o({receive(0, 1, 0, 0b01), send(1, 1, 7, 0), send(2, 1, 8, 1)});
  EXPECT_TRUE(o.order.happens_before(0, 1));
  EXPECT_FALSE(o.order.happens_before(0, 2));
  EXPECT_FALSE(o.order.happens_before(1, 2));
}

}  // namespace
}  // namespace mazur
