#include "trace/dependence.h"

#include <gtest/gtest.h>

#include "events.h"
#include "explore/context/commute.h"
#include "trace/access.h"

namespace mazur {
namespace {

// Dependence of operations of two threads on one object.
bool depend(Event a, Event b) {
  a.thread = 1;
  b.thread = 2;
  EXPECT_EQ(dependent(a, b), dependent(b, a)) << "not symmetric";
  if (dependent(a, b)) {
    EXPECT_TRUE(dependent(a.label, b.label));
  }
  return dependent(a, b);
}

Event on(OpKind kind) { return event(0, kind, 64); }

TEST(Dependence, Memory) {
  EXPECT_FALSE(depend(on(OpKind::kLoad), on(OpKind::kLoad)));
  EXPECT_TRUE(depend(on(OpKind::kLoad), on(OpKind::kStore)));
  EXPECT_TRUE(depend(on(OpKind::kRmw), on(OpKind::kLoad)));
  EXPECT_TRUE(depend(on(OpKind::kCas), on(OpKind::kLoad)));
  EXPECT_FALSE(depend(failed(on(OpKind::kCas)), on(OpKind::kLoad)));
  EXPECT_FALSE(depend(failed(on(OpKind::kOnceEnter)), on(OpKind::kLoad)));
  EXPECT_TRUE(depend(on(OpKind::kOnceEnter), on(OpKind::kLoad)));
  EXPECT_TRUE(depend(on(OpKind::kAwait), on(OpKind::kStore)));
  EXPECT_TRUE(depend(failed(on(OpKind::kFutexWait)), on(OpKind::kStore)));
  EXPECT_FALSE(depend(store(0, 64, 4), store(0, 68, 4)));
  EXPECT_TRUE(depend(store(0, 64, 4), load(0, 67, 1)));
}

// The end of a life depends on all that touches it, and changes places with nothing.
TEST(Dependence, Free) {
  Event free = event(0, OpKind::kFree, 64, 24);
  free.thread = 1;
  EXPECT_TRUE(depend(free, free));
  for (const OpKind kind : {OpKind::kLoad, OpKind::kStore, OpKind::kRmw, OpKind::kCas}) {
    for (const ObjectId object : {64, 72, 84}) {
      Event access = event(2, kind, object, 4);
      EXPECT_TRUE(depend(free, access));
      EXPECT_FALSE(same_either_way(free, access));
      EXPECT_FALSE(same_either_way(access, free));
    }
    EXPECT_FALSE(depend(free, event(2, kind, 88, 4)));
    EXPECT_FALSE(depend(free, event(2, kind, 56, 8)));
  }
  EXPECT_TRUE(depend(free, failed(event(2, OpKind::kCas, 64, 4))));
  EXPECT_FALSE(reads_memory(free.label));
  EXPECT_FALSE(writes_memory(free.label));
}

// An object begins or ends: nothing that looks at it changes places with that.
TEST(Dependence, Lives) {
  const auto life = [](OpKind kind, Space space) {
    Event e = on(kind);
    e.label.value = static_cast<std::uint64_t>(space);
    return e;
  };
  const std::pair<Space, std::vector<OpKind>> uses[] = {
      {Space::kMutex, {OpKind::kLock, OpKind::kTryLock, OpKind::kUnlock}},
      {Space::kRwLock,
       {OpKind::kRdLock, OpKind::kWrLock, OpKind::kTryRdLock, OpKind::kTryWrLock, OpKind::kRdUnlock,
        OpKind::kWrUnlock}},
      {Space::kSemaphore,
       {OpKind::kSemWait, OpKind::kSemTryWait, OpKind::kSemPost, OpKind::kSemRead}},
      {Space::kQueue,
       {OpKind::kCondWait, OpKind::kCondSignal, OpKind::kCondBroadcast, OpKind::kBarrierArrive}}};
  for (const auto& [space, kinds] : uses)
    for (const OpKind begin_or_end : {OpKind::kInit, OpKind::kDestroy}) {
      const Event event = life(begin_or_end, space);
      EXPECT_TRUE(depend(event, life(OpKind::kInit, space)));
      EXPECT_TRUE(depend(event, life(OpKind::kDestroy, space)));
      for (const OpKind kind : kinds) {
        EXPECT_TRUE(depend(event, on(kind))) << static_cast<int>(kind);
        EXPECT_TRUE(depend(event, failed(on(kind)))) << static_cast<int>(kind);
        Event elsewhere = on(kind);
        elsewhere.label.object += 64;
        EXPECT_FALSE(depend(event, elsewhere)) << static_cast<int>(kind);
      }
    }
  // Who has been woken, or has arrived, does not look at the object any more.
  const Event end = life(OpKind::kDestroy, Space::kQueue);
  EXPECT_FALSE(depend(end, on(OpKind::kCondWake)));
  EXPECT_FALSE(depend(end, on(OpKind::kBarrierDepart)));
  Event timed = on(OpKind::kCondWake);
  timed.label.timed = true;
  EXPECT_TRUE(depend(end, timed));
}

TEST(Dependence, TwoLocationsOfAnAwait) {
  Event await = on(OpKind::kAwait);
  await.label.object2 = 128;
  EXPECT_TRUE(depend(await, store(0, 128)));
  EXPECT_FALSE(depend(await, load(0, 128)));
}

TEST(Dependence, Messages) {
  EXPECT_TRUE(depend(send(0, 1, 7), send(0, 1, 8))) << "two sends to one mailbox";
  EXPECT_TRUE(depend(send(0, 1, 7, 3), send(0, 1, 8, 4))) << "whatever they send";
  EXPECT_FALSE(depend(send(0, 1, 7), send(0, 2, 8))) << "two mailboxes";
  EXPECT_TRUE(depend(send(0, 1, 7), receive(0, 1, 7))) << "the message and who takes it";
  EXPECT_FALSE(depend(send(0, 1, 8), receive(0, 1, 7))) << "another message";
  EXPECT_FALSE(depend(receive(0, 1, 7), receive(0, 2, 0)));
}

TEST(Dependence, ATimeoutDependsOnWhatWouldHaveEndedIt) {
  EXPECT_TRUE(depend(send(0, 1, 7, 5), receive(0, 1, 0)));
  EXPECT_TRUE(depend(send(0, 1, 7, 63), receive(0, 1, 0)));
  EXPECT_FALSE(depend(send(0, 2, 7, 5), receive(0, 1, 0)));
  // Up to four runs of alternatives are told apart.
  const std::uint64_t runs = 0b1011'0110'0010;
  for (ObjectId alternative = 0; alternative < 12; ++alternative)
    EXPECT_EQ(depend(send(0, 1, 7, alternative), receive(0, 1, 0, runs)),
              (runs >> alternative & 1) != 0)
        << alternative;
  // With more, the last one covers the rest.
  const std::uint64_t many = 0b101'0101'0101;
  for (ObjectId alternative = 0; alternative < 12; ++alternative)
    EXPECT_EQ(depend(send(0, 1, 7, alternative), receive(0, 1, 0, many)),
              alternative < 6 ? alternative % 2 == 0 : alternative < 11)
        << alternative;
  EXPECT_FALSE(depend(send(0, 1, 7), receive(0, 1, 0, 0))) << "it accepts nothing";
}

TEST(Dependence, APendingReceiveMayDependOnAllItAccepts) {
  Operation next;
  next.kind = OpKind::kReceive;
  next.object = 1;
  next.value = 0b110;
  EXPECT_TRUE(may_depend(send(0, 1, 7, 2).label, next));
  EXPECT_FALSE(may_depend(send(0, 1, 7, 3).label, next));
  EXPECT_FALSE(may_depend(send(0, 2, 7, 2).label, next));
}

TEST(Dependence, TablesDependPerKey) {
  EXPECT_TRUE(is_table_key(table_key(0)));
  EXPECT_FALSE(is_table_key(0x7fff'ffff'ffff));
  EXPECT_TRUE(depend(store(0, table_key(3)), load(0, table_key(3))));
  EXPECT_FALSE(depend(store(0, table_key(3)), store(0, table_key(4))));
}

TEST(Dependence, Mutex) {
  for (OpKind a : {OpKind::kLock, OpKind::kTryLock})
    for (OpKind b : {OpKind::kLock, OpKind::kTryLock, OpKind::kUnlock})
      EXPECT_TRUE(depend(on(a), on(b)));
  EXPECT_FALSE(depend(on(OpKind::kUnlock), on(OpKind::kUnlock)));
  EXPECT_FALSE(depend(failed(on(OpKind::kTryLock)), failed(on(OpKind::kTryLock))));
  EXPECT_TRUE(depend(failed(on(OpKind::kTryLock)), on(OpKind::kUnlock)));
  EXPECT_TRUE(depend(failed(on(OpKind::kTryLock)), on(OpKind::kLock)));
  EXPECT_FALSE(depend(on(OpKind::kLock), on(OpKind::kStore))) << "other objects";
  Event wait = event(0, OpKind::kCondWait, 8);
  wait.label.object2 = 64;
  EXPECT_TRUE(depend(wait, on(OpKind::kLock)));
  EXPECT_FALSE(depend(wait, on(OpKind::kUnlock)));
}

TEST(Dependence, RwLock) {
  const Event readers[] = {on(OpKind::kRdLock), on(OpKind::kRdUnlock), on(OpKind::kTryRdLock)};
  const Event writers[] = {on(OpKind::kWrLock), on(OpKind::kWrUnlock), on(OpKind::kTryWrLock)};
  const Event no_read = failed(on(OpKind::kTryRdLock));
  const Event no_write = failed(on(OpKind::kTryWrLock));
  for (const Event& r : readers) {
    for (const Event& other : readers) EXPECT_FALSE(depend(r, other));
    EXPECT_FALSE(depend(r, no_read));
    EXPECT_TRUE(depend(r, no_write));
  }
  for (const Event& w : writers) {
    for (const Event& r : readers) EXPECT_TRUE(depend(w, r));
    for (const Event& other : writers) EXPECT_TRUE(depend(w, other));
    EXPECT_TRUE(depend(w, no_read));
    EXPECT_TRUE(depend(w, no_write));
  }
  EXPECT_FALSE(depend(no_read, no_write));
  EXPECT_FALSE(depend(no_write, no_write));
}

TEST(Dependence, Semaphore) {
  EXPECT_FALSE(depend(on(OpKind::kSemPost), on(OpKind::kSemPost)));
  EXPECT_TRUE(depend(on(OpKind::kSemPost), on(OpKind::kSemWait)));
  EXPECT_TRUE(depend(on(OpKind::kSemWait), on(OpKind::kSemWait)));
  EXPECT_TRUE(depend(on(OpKind::kSemRead), on(OpKind::kSemPost)));
  EXPECT_FALSE(depend(on(OpKind::kSemRead), failed(on(OpKind::kSemTryWait))));
  EXPECT_TRUE(depend(on(OpKind::kSemRead), on(OpKind::kSemTryWait)));
}

TEST(Dependence, Queues) {
  EXPECT_FALSE(depend(on(OpKind::kCondWait), on(OpKind::kCondWait)));
  EXPECT_TRUE(depend(on(OpKind::kCondWait), on(OpKind::kCondSignal)));
  EXPECT_TRUE(depend(on(OpKind::kCondSignal), on(OpKind::kCondBroadcast)));
  Event wake = on(OpKind::kFutexWoken);
  Event signal = on(OpKind::kFutexWake);
  EXPECT_FALSE(depend(signal, wake)) << "it woke nobody";
  signal.label.written = 1 << 2;
  EXPECT_TRUE(depend(signal, wake)) << "it woke thread 2";
  EXPECT_FALSE(depend(wake, signal)) << "it did not wake thread 1";
  wake.label.timed = true;
  EXPECT_TRUE(depend(wake, signal));
}

TEST(Dependence, AnArrivalThatFillsThePhaseMovesTheOthers) {
  Event p = event(1, OpKind::kBarrierArrive, 64, 3);
  Event q = event(2, OpKind::kBarrierArrive, 64, 3);
  p.label.read = 1;
  EXPECT_FALSE(dependent_next(p, q));
  p.label.read = 2;
  EXPECT_TRUE(dependent_next(p, q));
  EXPECT_FALSE(dependent(p, q));
}

TEST(Dependence, PendingOperationsMayDoTheirWorst) {
  Operation cas, read;
  cas.kind = OpKind::kCas;
  read.kind = OpKind::kLoad;
  cas.object = read.object = 64;
  cas.size = read.size = 8;
  EXPECT_TRUE(may_depend(cas, read));
  EXPECT_FALSE(may_depend(read, read));
}

// What is said to be clearly independent must be so; and what is left to dependent() is little.
TEST(Dependence, WhatIsClearlyIndependentDoesNotDepend) {
  RandomEvents random(11);
  int clear = 0;
  int left = 0;
  for (int i = 0; i < 20'000; ++i) {
    Event a = random.any(2, {});
    Event b = random.any(2, {});
    a.thread = 0;
    b.thread = 1;
    if (clearly_independent(a.label, b.label)) {
      ++clear;
      EXPECT_FALSE(dependent(a, b));
    } else if (a.label.kind <= OpKind::kUnlock && b.label.kind <= OpKind::kUnlock) {
      left += dependent(a, b) ? 0 : 1;
    }
    EXPECT_EQ(dependent(a, b), dependent(b, a));
  }
  EXPECT_GT(clear, 1000);
  EXPECT_LT(left, clear / 2);
  EXPECT_TRUE(clearly_independent(event(0, OpKind::kCreate, 1).label, store(1, 64).label));
  EXPECT_TRUE(clearly_independent(store(1, 64).label, event(0, OpKind::kJoin, 1).label));
  EXPECT_TRUE(clearly_independent(event(0, OpKind::kLock, 64).label, store(1, 64).label));
  EXPECT_FALSE(clearly_independent(store(1, 64, 4).label, store(1, 67, 4).label));
  EXPECT_TRUE(clearly_independent(store(1, 64, 4).label, store(1, 68, 4).label));
}

}  // namespace
}  // namespace mazur
