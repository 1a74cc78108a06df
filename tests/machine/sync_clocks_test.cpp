#include "machine/native/races/sync_clocks.h"

#include <gtest/gtest.h>

#include "outside.h"

namespace mazur::native {
namespace {

constexpr std::uint8_t kRelaxed = 0, kAcquire = 2, kRelease = 3, kSeqCst = 5;
constexpr ObjectId kFlag = 0x1000, kMutex = 0x2000;

class SyncClocks : public testing::Test {
 protected:
  // Threads 0 to 3, nothing of which is ordered but that main created the others.
  SyncClocks() {
    set_threads(4);
    reset_sync_clocks();
    for (ThreadId child = 1; child < 4; ++child)
      does(0, {.kind = OpKind::kCreate, .object = child});
  }

  static void does(ThreadId thread, const Operation& op, bool success = true,
                   std::uint64_t read = 0, std::uint64_t written = 0) {
    Label label;
    static_cast<Operation&>(label) = op;
    label.success = success;
    label.read = read;
    label.written = written;
    acquire_by(thread, label);
    release_by(thread, label);
  }
  static void stores(ThreadId thread, std::uint8_t order) {
    does(thread, {.kind = OpKind::kStore, .order = order, .size = 4, .object = kFlag});
  }
  static void loads(ThreadId thread, std::uint8_t order) {
    does(thread, {.kind = OpKind::kLoad, .order = order, .size = 4, .object = kFlag});
  }
  static void updates(ThreadId thread, std::uint8_t order) {
    does(thread, {.kind = OpKind::kRmw, .order = order, .size = 4, .object = kFlag});
  }
  static void on(ThreadId thread, OpKind kind, ObjectId object, bool success = true) {
    does(thread, {.kind = kind, .object = object}, success);
  }

  // An access of a thread now, and whether what another one does now comes after it.
  struct At {
    ThreadId thread;
    Clock clock = clock_of_thread(thread);
    bool before(ThreadId other) const { return ordered(other, thread, clock); }
  };
};

TEST_F(SyncClocks, AThreadIsOrderedAfterWhatItsCreatorDidBefore) {
  const At before{0};
  set_threads(5);
  does(0, {.kind = OpKind::kCreate, .object = 4});
  const At after{0};
  EXPECT_TRUE(before.before(4));
  EXPECT_FALSE(after.before(4));
  EXPECT_FALSE(before.before(1));
}

TEST_F(SyncClocks, JoinTakesAllThatTheThreadDid) {
  const At last{2};
  on(1, OpKind::kJoin, 2, /*success=*/false);
  EXPECT_FALSE(last.before(1));
  on(1, OpKind::kJoin, 2);
  EXPECT_TRUE(last.before(1));
  EXPECT_FALSE(last.before(0));
}

TEST_F(SyncClocks, AnAcquireTakesWhatTheStoreReleased) {
  const At before{1};
  stores(1, kRelease);
  const At after{1};
  loads(2, kAcquire);
  EXPECT_TRUE(before.before(2));
  EXPECT_FALSE(after.before(2));
  EXPECT_FALSE(before.before(3));
}

TEST_F(SyncClocks, ARelaxedStoreOrLoadOrdersNothing) {
  const At first{1};
  stores(1, kRelaxed);
  loads(2, kSeqCst);
  EXPECT_FALSE(first.before(2));
  stores(1, kSeqCst);
  loads(3, kRelaxed);
  EXPECT_FALSE(first.before(3));
}

TEST_F(SyncClocks, AReadModifyWriteContinuesAReleaseSequence) {
  const At first{1};
  stores(1, kRelease);
  updates(2, kRelaxed);
  loads(3, kAcquire);
  EXPECT_TRUE(first.before(3));
}

TEST_F(SyncClocks, AnotherStoreEndsAReleaseSequence) {
  const At first{1};
  stores(1, kRelease);
  stores(2, kRelaxed);
  loads(3, kAcquire);
  EXPECT_FALSE(first.before(3));
}

TEST_F(SyncClocks, ACompareExchangeThatFailsReleasesNothing) {
  const At first{1};
  does(1, {.kind = OpKind::kCas, .order = kSeqCst, .size = 4, .object = kFlag}, false);
  loads(2, kAcquire);
  EXPECT_FALSE(first.before(2));
}

TEST_F(SyncClocks, FencesMakeRelaxedAccessesCount) {
  const At before{1};
  fence(1, kRelease);
  const At after{1};
  stores(1, kRelaxed);
  loads(2, kRelaxed);
  EXPECT_FALSE(before.before(2));
  fence(2, kAcquire);
  EXPECT_TRUE(before.before(2));
  EXPECT_FALSE(after.before(2));
}

TEST_F(SyncClocks, AMutexOrdersItsSections) {
  on(1, OpKind::kLock, kMutex);
  const At inside{1};
  on(1, OpKind::kUnlock, kMutex);
  const At outside{1};
  on(2, OpKind::kTryLock, kMutex, /*success=*/false);
  EXPECT_FALSE(inside.before(2));
  on(2, OpKind::kLock, kMutex);
  EXPECT_TRUE(inside.before(2));
  EXPECT_FALSE(outside.before(2));
}

TEST_F(SyncClocks, ReadersAreOrderedWithWritersAndNotWithEachOther) {
  on(1, OpKind::kRdLock, kMutex);
  const At reader{1};
  on(1, OpKind::kRdUnlock, kMutex);
  on(2, OpKind::kRdLock, kMutex);
  EXPECT_FALSE(reader.before(2));
  on(2, OpKind::kRdUnlock, kMutex);
  on(3, OpKind::kWrLock, kMutex);
  EXPECT_TRUE(reader.before(3));
}

TEST_F(SyncClocks, WaitingOnAConditionGivesTheMutexAway) {
  on(1, OpKind::kLock, kMutex);
  const At before{1};
  does(1, {.kind = OpKind::kCondWait, .object = 0x3000, .object2 = kMutex});
  on(2, OpKind::kLock, kMutex);
  EXPECT_TRUE(before.before(2));
  const At inside{2};
  on(2, OpKind::kUnlock, kMutex);
  does(1, {.kind = OpKind::kCondWake, .object = 0x3000, .object2 = kMutex});
  EXPECT_TRUE(inside.before(1));
}

TEST_F(SyncClocks, AReceiveComesAfterItsMessageOnly) {
  const At first{1}, second{2};
  does(1, {.kind = OpKind::kSend, .object = 0x4000, .value = message_id(1, 0)});
  does(2, {.kind = OpKind::kSend, .object = 0x4000, .value = message_id(2, 0)});
  does(3, {.kind = OpKind::kReceive, .object = 0x4000}, true, message_id(2, 0));
  EXPECT_FALSE(first.before(3));
  EXPECT_TRUE(second.before(3));
}

TEST_F(SyncClocks, PhasesOfABarrierAreApart) {
  const At first{1};
  does(1, {.kind = OpKind::kBarrierArrive, .object = 0x5000}, true, 0, /*written=*/0);
  does(2, {.kind = OpKind::kBarrierDepart, .object = 0x5000, .value = 1});
  EXPECT_FALSE(first.before(2));
  does(2, {.kind = OpKind::kBarrierDepart, .object = 0x5000, .value = 0});
  EXPECT_TRUE(first.before(2));
}

// The table of objects grows, and their vectors with the threads.
TEST_F(SyncClocks, ManyObjectsAndThreadsThatComeLater) {
  const At first{1};
  for (ObjectId key = 0; key < 5000; ++key) release_to(1, 0x100000 + key * 8);
  const At last{1};
  set_threads(70);
  does(0, {.kind = OpKind::kCreate, .object = 69});
  const At late{69};
  for (ObjectId key = 0; key < 5000; key += 2) release_to(69, 0x100000 + key * 8);
  acquire_from(2, 0x100000);
  EXPECT_TRUE(first.before(2));
  EXPECT_TRUE(late.before(2));
  EXPECT_FALSE(last.before(2));
  acquire_from(3, 0x100000 + 4999 * 8);
  EXPECT_TRUE(first.before(3));
  EXPECT_FALSE(late.before(3));
}

TEST_F(SyncClocks, ANewExecutionBeginsWithNothing) {
  stores(1, kRelease);
  reset_sync_clocks();
  does(0, {.kind = OpKind::kCreate, .object = 1});
  does(0, {.kind = OpKind::kCreate, .object = 2});
  const At first{1};
  loads(2, kAcquire);
  EXPECT_FALSE(first.before(2));
}

}  // namespace
}  // namespace mazur::native
