#include "machine/native/races/held_locks.h"

#include <algorithm>

namespace mazur::native {
namespace {

// Fixed, so that taking a lock allocates nothing. If a thread holds more, the rest is left out.
struct Held {
  static constexpr unsigned kMost = 30;
  ObjectId at[kMost];
  unsigned count;
};
Held held[kMaxThreads];

void take(Held& locks, ObjectId lock) {
  if (locks.count < Held::kMost) locks.at[locks.count++] = lock;
}

void give_back(Held& locks, ObjectId lock) {
  ObjectId* end = locks.at + locks.count;
  ObjectId* at = std::find(locks.at, end, lock);
  if (at == end) return;
  std::copy(at + 1, end, at);
  --locks.count;
}

}  // namespace

void forget_held_locks(ThreadId thread) { held[thread].count = 0; }

void note_held_locks(ThreadId thread, const Label& label) {
  Held& locks = held[thread];
  switch (label.kind) {
    case OpKind::kTryLock:
    case OpKind::kTryRdLock:
    case OpKind::kTryWrLock:
      if (!label.success) return;
      [[fallthrough]];
    case OpKind::kLock:
    case OpKind::kRdLock:
    case OpKind::kWrLock:
      take(locks, label.object);
      return;
    case OpKind::kUnlock:
    case OpKind::kRdUnlock:
    case OpKind::kWrUnlock:
      give_back(locks, label.object);
      return;
    case OpKind::kCondWait:
      give_back(locks, label.object2);
      return;
    case OpKind::kCondWake:
      take(locks, label.object2);
      return;
    case OpKind::kCreate:
      forget_held_locks(static_cast<ThreadId>(label.object));
      return;
    default:
      return;
  }
}

std::vector<ObjectId> held_locks(ThreadId thread) {
  return {held[thread].at, held[thread].at + held[thread].count};
}

}  // namespace mazur::native
