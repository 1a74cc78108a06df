// Which lock a label takes or gives back.
#pragma once

#include "trace/fields.h"

namespace mazur {

struct LockChange {
  enum Kind { kNone, kTaken, kReleased } kind = kNone;
  ObjectId lock = 0;
};

// Mutexes and rwlocks, also the mutex that a wait on a condition variable releases and takes again.
// Inline, because the race detector asks for every event.
inline LockChange lock_change(const Label& l) {
  switch (l.kind) {
    case OpKind::kTryLock:
    case OpKind::kTryRdLock:
    case OpKind::kTryWrLock:
      if (!acquired(l)) return {};
      [[fallthrough]];
    case OpKind::kLock:
    case OpKind::kRdLock:
    case OpKind::kWrLock:
      return {LockChange::kTaken, l.object};
    case OpKind::kUnlock:
    case OpKind::kRdUnlock:
    case OpKind::kWrUnlock:
      return {LockChange::kReleased, l.object};
    case OpKind::kCondWait:
      return {LockChange::kReleased, mutex_of(l)};
    case OpKind::kCondWake:
      return {LockChange::kTaken, mutex_of(l)};
    default:
      return {};
  }
}

}  // namespace mazur
