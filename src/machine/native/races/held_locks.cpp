#include "machine/native/races/held_locks.h"

#include <algorithm>

#include "trace/lock_change.h"

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
  if (label.kind == OpKind::kCreate) return forget_held_locks(child_of(label));
  const LockChange change = lock_change(label);
  if (change.kind == LockChange::kTaken) take(held[thread], change.lock);
  if (change.kind == LockChange::kReleased) give_back(held[thread], change.lock);
}

std::vector<ObjectId> held_locks(ThreadId thread) {
  return {held[thread].at, held[thread].at + held[thread].count};
}

}  // namespace mazur::native
