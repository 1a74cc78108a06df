#include "trace/blocking/blocking.h"

#include <gtest/gtest.h>

#include "events.h"
#include "trace/blocking/memory_value.h"

namespace mazur {
namespace {

Event on(ThreadId thread, OpKind kind, ObjectId object = 64) { return event(thread, kind, object); }

// Whether the last event's race with e can be reversed.
bool can_reverse(const std::vector<Event>& events, EventIndex e) {
  const Trace trace = trace_of(events);
  const auto f = static_cast<EventIndex>(events.size() - 1);
  const auto races = trace.races(f);
  EXPECT_NE(std::find(races.begin(), races.end(), e), races.end()) << "no race";
  return reversible(trace, e, f);
}

struct Found {
  std::vector<EventIndex> dropped;
  Event step;
};
std::vector<Found> disabling(const Trace& trace, const Waiting& w) {
  std::vector<Found> found;
  disabling_races(trace, w, [&](std::span<const EventIndex> dropped, const Event& step) {
    found.push_back({{dropped.begin(), dropped.end()}, step});
  });
  return found;
}

TEST(Blocking, ReleasesAreNotReversedWithWhatTheyEnable) {
  EXPECT_FALSE(
      can_reverse({on(0, OpKind::kLock), on(0, OpKind::kUnlock), on(1, OpKind::kLock)}, 1));
  EXPECT_TRUE(
      can_reverse({on(0, OpKind::kLock), on(0, OpKind::kUnlock), on(1, OpKind::kTryLock)}, 1));
  EXPECT_FALSE(
      can_reverse({on(0, OpKind::kRdLock), on(0, OpKind::kRdUnlock), on(1, OpKind::kWrLock)}, 1));
  EXPECT_FALSE(can_reverse({on(0, OpKind::kOnceLeave), failed(on(1, OpKind::kOnceEnter))}, 0));
  EXPECT_TRUE(can_reverse({on(0, OpKind::kLoad), on(1, OpKind::kOnceEnter)}, 0));
}

TEST(Blocking, AWaitIsReversedWithAnInitialisationOnlyIfItDidNotWaitForIt) {
  const auto init = [](std::uint64_t before, std::uint64_t after) {
    Event e = on(0, OpKind::kInit);
    e.label.value = static_cast<std::uint64_t>(Space::kSemaphore);
    e.label.read = before;
    e.label.written = after;
    return e;
  };
  constexpr std::uint64_t kDead = 0xffffffff;
  Event wait = on(1, OpKind::kSemWait);
  wait.label.read = 1;
  EXPECT_FALSE(can_reverse({init(0, 1), wait}, 0));
  EXPECT_TRUE(can_reverse({init(2, 1), wait}, 0));
  EXPECT_TRUE(can_reverse({init(kDead, 1), wait}, 0));
  EXPECT_FALSE(
      after_reversal(trace_of({init(0, 1), on(1, OpKind::kSemTryWait)}), 0, 1).label.success);

  // It waits for ever after one with 0, and did not before it: whether or not that was alive.
  for (const std::uint64_t before : {std::uint64_t{1}, kDead}) {
    const Trace trace = trace_of({init(before, 0)});
    const auto found = disabling(trace, waiting(trace, 1, wait.label, 3));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].dropped, std::vector<EventIndex>{0});
  }
  const Trace trace = trace_of({init(0, 0)});
  EXPECT_TRUE(disabling(trace, waiting(trace, 1, wait.label, 3)).empty());
}

TEST(Blocking, ALockIsReversedWithTheEndOfItsMutex) {
  Event end = on(0, OpKind::kDestroy);
  end.label.value = static_cast<std::uint64_t>(Space::kMutex);
  EXPECT_TRUE(can_reverse({end, on(1, OpKind::kLock)}, 0));
  const Trace trace = trace_of({on(1, OpKind::kLock), on(1, OpKind::kUnlock), end});
  EXPECT_TRUE(reversible(trace, 1, 2));
  EXPECT_EQ(trace.history().last_disabler(on(2, OpKind::kLock).label), 0u);
}

TEST(Blocking, ALockForReadingOrWritingIsReversedWithTheEndOfItsObject) {
  Event end = on(0, OpKind::kDestroy);
  end.label.value = static_cast<std::uint64_t>(Space::kRwLock);
  EXPECT_TRUE(can_reverse({end, on(1, OpKind::kRdLock)}, 0));
  EXPECT_TRUE(can_reverse({end, on(1, OpKind::kWrLock)}, 0));
}

TEST(Blocking, AReceiveIsReversedWithItsSendOnlyIfItCanTimeOut) {
  EXPECT_FALSE(can_reverse({send(0, 1, 7), receive(1, 1, 7)}, 0));
  Event timed = receive(1, 1, 7);
  timed.label.timed = true;
  EXPECT_TRUE(can_reverse({send(0, 1, 7), timed}, 0));
  EXPECT_TRUE(can_reverse({receive(1, 1, 0), send(0, 1, 7)}, 0));
  EXPECT_TRUE(can_reverse({send(0, 1, 7), send(2, 1, 8)}, 0));
  const Event reversed = after_reversal(trace_of({send(0, 1, 7), timed}), 0, 1);
  EXPECT_EQ(reversed.label.read, 0u);
  EXPECT_FALSE(reversed.label.success);
  EXPECT_FALSE(can_be_disabled({.kind = OpKind::kReceive}));
}

TEST(Blocking, OnlyATimedReceiveCanRunWhereItsMessageIsSent) {
  Operation next = receive(1, 1, 0).label;
  EXPECT_TRUE(may_be_co_enabled(send(0, 1, 7), 1, next));
  next.timed = false;
  EXPECT_FALSE(may_be_co_enabled(send(0, 1, 7), 1, next));
}

TEST(Blocking, APostAndAWaitThatDidNotNeedIt) {
  Event wait = on(1, OpKind::kSemWait);
  wait.label.read = 1;
  EXPECT_FALSE(can_reverse({on(0, OpKind::kSemPost), wait}, 0));
  wait.label.read = 2;
  EXPECT_TRUE(can_reverse({on(0, OpKind::kSemPost), wait}, 0));
}

TEST(Blocking, AnAwaitThatHeldBefore) {
  Event write = store(0, 64);
  write.label.before = 0;
  write.label.written = 7;
  Event await = on(1, OpKind::kAwait);
  await.label.comparison = Comparison::kEqual;
  await.label.value = await.label.read = 7;
  EXPECT_FALSE(can_reverse({write, await}, 0));
  write.label.before = 7;
  EXPECT_TRUE(can_reverse({write, await}, 0));
}

TEST(Blocking, OutcomesChangeWhenTheOtherComesLater) {
  const auto outcome = [](const std::vector<Event>& events, EventIndex e) {
    const Trace trace = trace_of(events);
    return after_reversal(trace, e, static_cast<EventIndex>(events.size() - 1)).label.success;
  };
  EXPECT_TRUE(outcome({on(0, OpKind::kLock), failed(on(1, OpKind::kTryLock))}, 0));
  EXPECT_FALSE(outcome({on(0, OpKind::kLock), on(0, OpKind::kUnlock), on(1, OpKind::kTryLock)}, 1));
  // One of two readers leaves, or does not come.
  const Event no = failed(on(2, OpKind::kTryWrLock));
  EXPECT_FALSE(outcome({on(0, OpKind::kRdLock), on(1, OpKind::kRdLock), no}, 0));
  EXPECT_TRUE(outcome({on(0, OpKind::kRdLock), no}, 0));

  // A unit of a semaphore that another has posted, or taken.
  Event took = on(1, OpKind::kSemTryWait);
  took.label.read = 1;
  EXPECT_FALSE(outcome({on(0, OpKind::kSemPost), took}, 0));
  took.label.read = 2;
  EXPECT_TRUE(outcome({on(0, OpKind::kSemPost), took}, 0));
  EXPECT_TRUE(outcome({on(0, OpKind::kSemWait), failed(on(1, OpKind::kSemTryWait))}, 0));

  Event write = store(0, 64, 4);
  write.label.before = 5;
  write.label.written = 6;
  Event cas = failed(event(1, OpKind::kCas, 64, 4));
  cas.label.read = 6;
  cas.label.value = 5;
  EXPECT_TRUE(outcome({write, cas}, 0));
  cas.label.value = 4;
  EXPECT_FALSE(outcome({write, cas}, 0));
}

TEST(Blocking, TheValueWithoutAWriteIsTakenByteByByte) {
  Event write = store(0, 66, 1);
  write.label.before = 0x11;
  write.label.written = 0x22;
  Event read = load(1, 64, 4);
  read.label.read = 0xaa22bbcc;
  const Trace trace = trace_of({write, read});
  EXPECT_EQ(value_without(trace, 0, 1), 0xaa11bbccu);
  EXPECT_EQ(value_after(trace, 66, 1, 2, {}, kNoEvent), 0x22u);
  const EventIndex left_out = 0;
  EXPECT_EQ(value_after(trace, 66, 1, 2, {&left_out, 1}, kNoEvent), 0x11u);
  EXPECT_EQ(value_after(trace, 64, 4, 2, {}, kNoEvent), std::nullopt);
}

TEST(Blocking, AValueIsPutTogetherFromSeveralWrites) {
  const auto write = [](ThreadId thread, ObjectId object, std::uint32_t size, std::uint64_t before,
                        std::uint64_t after) {
    Event e = store(thread, object, size);
    e.label.before = before;
    e.label.written = after;
    return e;
  };
  const Trace trace = trace_of({write(0, 64, 4, 0x44332211, 0x88776655),
                                write(1, 66, 1, 0x77, 0xaa), write(2, 64, 1, 0x55, 0xbb)});
  EXPECT_EQ(value_after(trace, 64, 4, 3, {}, kNoEvent), 0x88aa66bbu);
  EXPECT_EQ(value_after(trace, 64, 4, 2, {}, kNoEvent), 0x88aa6655u);
  EXPECT_EQ(value_after(trace, 64, 4, 0, {}, kNoEvent), 0x44332211u);
  EXPECT_EQ(value_after(trace, 64, 4, 1, {}, 2), 0x887766bbu) << "the last one comes behind";
  const EventIndex left_out = 1;
  EXPECT_EQ(value_after(trace, 64, 4, 3, {&left_out, 1}, kNoEvent), 0x887766bbu);
  EXPECT_EQ(value_after(trace, 65, 2, 3, {}, kNoEvent), 0xaa66u);
}

TEST(Blocking, ALockRacesWithTheLockBefore) {
  const Trace trace = trace_of({on(0, OpKind::kLock), on(0, OpKind::kUnlock), on(2, OpKind::kLock),
                                on(2, OpKind::kUnlock), on(1, OpKind::kLock)});
  const auto found = disabling(trace, waiting(trace, 4));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].dropped, (std::vector<EventIndex>{2}));
  // Also when it is still blocked.
  const Trace held = trace_of({on(0, OpKind::kLock)});
  EXPECT_EQ(disabling(held, waiting(held, 1, on(1, OpKind::kLock).label, 0)).size(), 1u);
  // Not when the thread came after the lock.
  const Trace after = trace_of({on(0, OpKind::kLock), store(0, 8), load(1, 8)});
  EXPECT_TRUE(disabling(after, waiting(after, 1, on(1, OpKind::kLock).label, 0)).empty());
}

TEST(Blocking, ASemaphoreIsDisabledByWhoTookTheLastUnit) {
  Event first = on(0, OpKind::kSemWait);
  first.label.read = 2;
  first.label.written = 1;
  Event last = on(2, OpKind::kSemWait);
  last.label.read = 1;
  last.label.written = 0;
  const Trace trace = trace_of({first, last});
  const auto found = disabling(trace, waiting(trace, 1, on(1, OpKind::kSemWait).label, 0));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].dropped[0], 1u);
}

TEST(Blocking, AWriterIsDisabledByReadersInAnyCombination) {
  // Two readers hold the lock: the writer can come before the first, without the second.
  const Trace trace = trace_of({on(0, OpKind::kRdLock), on(1, OpKind::kRdLock)});
  const auto found = disabling(trace, waiting(trace, 2, on(2, OpKind::kWrLock).label, 0));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].dropped, (std::vector<EventIndex>{0, 1}));
  // The second has left: before the first, with or without the second's visit; before the second,
  // never, because the first holds the lock.
  const Trace left =
      trace_of({on(0, OpKind::kRdLock), on(1, OpKind::kRdLock), on(1, OpKind::kRdUnlock)});
  EXPECT_EQ(disabling(left, waiting(left, 2, on(2, OpKind::kWrLock).label, 0)).size(), 2u);
}

// The writer ran. It had to wait for the first reader, and not for the second one.
TEST(Blocking, AWriterThatRanWaitedOnlyForSomeReaders) {
  const Trace trace =
      trace_of({on(0, OpKind::kRdLock), on(0, OpKind::kRdUnlock), on(1, OpKind::kRdLock),
                on(1, OpKind::kRdUnlock), on(2, OpKind::kWrLock)});
  const auto found = disabling(trace, waiting(trace, 4));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].dropped, (std::vector<EventIndex>{0}));
  EXPECT_EQ(found[1].dropped, (std::vector<EventIndex>{2}));
}

TEST(Blocking, AReaderIsDisabledByTheLastWriter) {
  const Trace trace = trace_of({on(0, OpKind::kWrLock), on(0, OpKind::kWrUnlock),
                                on(2, OpKind::kWrLock), on(2, OpKind::kWrUnlock)});
  const auto found = disabling(trace, waiting(trace, 1, on(1, OpKind::kRdLock).label, 0));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].dropped, (std::vector<EventIndex>{2}));
  EXPECT_EQ(trace.history().last_disabler(on(1, OpKind::kRdLock, 72).label), kNoEvent);
}

TEST(Blocking, AnInitialisationIsDisabledByTheOneThatRuns) {
  const Trace trace = trace_of({on(0, OpKind::kOnceEnter), on(0, OpKind::kOnceLeave)});
  const auto found = disabling(trace, waiting(trace, 1, on(1, OpKind::kOnceEnter).label, 0));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].dropped, (std::vector<EventIndex>{0}));
}

// What nobody wrote has the value that it has now, and the machine says whether it is the right one.
TEST(Blocking, AnAwaitAsksForTheValuesThatTheTraceDoesNotTell) {
  Event write = store(0, 64);
  write.label.before = 1;
  write.label.written = 2;
  Operation await = on(1, OpKind::kAwait).label;
  await.object2 = 128;
  await.comparison = Comparison::kEqual;
  await.value = 1;
  const Trace trace = trace_of({write});
  EXPECT_EQ(disabling(trace, waiting(trace, 1, await, 0b10)).size(), 1u);
  EXPECT_TRUE(disabling(trace, waiting(trace, 1, await, 0b00)).empty());
  EXPECT_TRUE(disabling(trace, waiting(trace, 1, await, 0b01)).empty());
}

TEST(Blocking, AnAwaitNeedsTheRightSubsequence) {
  // As in Figure 9: the awaiting thread could go after event 1 alone, and event 0 would disable it
  // there. Before event 2 it cannot go: there event 0 has happened.
  const auto write = [](ThreadId t, ObjectId object, std::uint64_t before, std::uint64_t after) {
    Event e = store(t, object);
    e.label.before = before;
    e.label.written = after;
    return e;
  };
  Operation await = on(3, OpKind::kAwait).label;
  await.object2 = 128;
  await.comparison = Comparison::kEqual;
  await.value = 1;
  // x starts with 1, y with 0. Event 0: x = 0. Event 1: y = 1. Event 2: y = 2.
  const Trace trace = trace_of({write(0, 64, 1, 0), write(1, 128, 0, 1), write(2, 128, 1, 2)});
  const auto found = disabling(trace, waiting(trace, 3, await, 0));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].dropped, (std::vector<EventIndex>{0, 2}));
  EXPECT_EQ(found[0].step.thread, 3);
}

TEST(Blocking, ASignalledThreadIsDisabledByALock) {
  Event wait = on(1, OpKind::kCondWait, 8);
  wait.label.object2 = 64;
  Event signal = on(2, OpKind::kCondSignal, 8);
  signal.label.written = 1 << 1;
  Event wake = on(1, OpKind::kCondWake, 8);
  wake.label.object2 = 64;
  const Trace signalled = trace_of({wait, signal, on(0, OpKind::kLock)});
  const auto found = disabling(signalled, waiting(signalled, 1, wake.label, 0));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].step.label.success);
  const Trace asleep = trace_of({wait, on(0, OpKind::kLock)});
  EXPECT_TRUE(disabling(asleep, waiting(asleep, 1, wake.label, 0)).empty());
  wake.label.timed = true;
  const auto timed = disabling(asleep, waiting(asleep, 1, wake.label, 0));
  ASSERT_EQ(timed.size(), 1u);
  EXPECT_FALSE(timed[0].step.label.success) << "it times out";
}

}  // namespace
}  // namespace mazur
