// When two operations of different threads depend: in one place, for every explorer and every
// machine.
#pragma once

#include "trace/label.h"
#include "trace/wait_set.h"

namespace mazur {

// For loops over many events: true only if the two do not depend. It knows plain memory operations,
// mutexes, creation and join, which nearly all calls are about.
inline bool clearly_independent(const Label& a, const Label& b) {
  const auto is_memory = [](const Label& l) {
    return l.kind >= OpKind::kLoad && l.kind <= OpKind::kCas && l.object2 <= kOwnLocation;
  };
  const auto is_mutex = [](const Label& l) {
    return l.kind >= OpKind::kLock && l.kind <= OpKind::kUnlock;
  };
  const auto touches_no_object = [](const Label& l) {
    return l.kind == OpKind::kCreate || l.kind == OpKind::kJoin;
  };
  if (is_memory(a)) {
    if (!is_memory(b)) return is_mutex(b) || touches_no_object(b);
    return b.object + b.size <= a.object || a.object + a.size <= b.object ||
           (a.kind == OpKind::kLoad && b.kind == OpKind::kLoad);
  }
  if (is_mutex(a)) return is_mutex(b) ? a.object != b.object : is_memory(b) || touches_no_object(b);
  return touches_no_object(a);
}

// Whether executed operations a and b, of different threads, depend. Symmetric. Creation and join
// are no dependence between labels: Trace orders them itself.
//
// Two threads' arrivals at one phase of a barrier do not depend; see arrivals_clash() for what an
// arrival does to those of the next phase.
bool dependent(const Event& a, const Event& b);

// The same without knowing the threads: an untimed wake-up then depends on every signal.
bool dependent(const Label& a, const Label& b);

// In both, a block of which it is not known what it touches depends on everything that touches
// anything.

// The same when at least one of them has not run yet: conservative where the outcome decides (a
// pending kCas writes, a pending block touches anything).
bool may_depend(const Operation& a, const Operation& b);

// Whether next steps p and q of different threads, both enabled in the same state, are dependent
// there (the paper's E |- p <> q does not hold). This is dependent(), except that an arrival which
// fills its phase moves the other arrival to the next one.
bool dependent_next(const Event& p, const Event& q);

// Whether the operation touches anything that another one could depend on.
bool touches_anything(const Label& label);

// Whether the label reads or writes memory bytes, and how.
bool reads_memory(const Label& label);
bool writes_memory(const Label& label);

}  // namespace mazur
