#include "trace/lock_change.h"

#include <gtest/gtest.h>

namespace mazur {
namespace {

constexpr ObjectId kObject = 8, kMutex = 16;

void expect(OpKind kind, bool success, LockChange::Kind change, ObjectId lock) {
  Label label;
  label.kind = kind;
  label.object = kObject;
  label.object2 = kMutex;
  label.success = success;
  const LockChange found = lock_change(label);
  EXPECT_EQ(found.kind, change) << "kind " << static_cast<int>(kind);
  EXPECT_EQ(found.lock, lock) << "kind " << static_cast<int>(kind);
}

TEST(LockChange, LocksAreTakenAndReleased) {
  for (OpKind kind : {OpKind::kLock, OpKind::kRdLock, OpKind::kWrLock})
    expect(kind, true, LockChange::kTaken, kObject);
  for (OpKind kind : {OpKind::kUnlock, OpKind::kRdUnlock, OpKind::kWrUnlock})
    expect(kind, true, LockChange::kReleased, kObject);
}

TEST(LockChange, ATryThatFailsTakesNothing) {
  for (OpKind kind : {OpKind::kTryLock, OpKind::kTryRdLock, OpKind::kTryWrLock}) {
    expect(kind, true, LockChange::kTaken, kObject);
    expect(kind, false, LockChange::kNone, 0);
  }
}

TEST(LockChange, AWaitGivesItsMutexBackUntilItWakes) {
  expect(OpKind::kCondWait, true, LockChange::kReleased, kMutex);
  expect(OpKind::kCondWake, true, LockChange::kTaken, kMutex);
  expect(OpKind::kCondWake, false, LockChange::kTaken, kMutex);  // also after its time
}

TEST(LockChange, OthersHoldNothing) {
  for (OpKind kind : {OpKind::kSemWait, OpKind::kCas, OpKind::kBarrierArrive, OpKind::kOnceEnter,
                      OpKind::kCondSignal, OpKind::kJoin})
    expect(kind, true, LockChange::kNone, 0);
}

}  // namespace
}  // namespace mazur
