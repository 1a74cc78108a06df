// When two operations of different threads depend: in one place, for every explorer and every
// machine.
#pragma once

#include "trace/fields.h"
#include "trace/label.h"
#include "trace/wait_set.h"

namespace mazur {

// For loops over many events: true only if the two do not depend. It knows plain memory operations,
// mutexes, creation and join. Nearly all calls are about these.
inline bool clearly_independent(const Label& a, const Label& b) {
  const auto is_own_memory = [](const Label& l) {
    return is_memory(l.kind) && !reads_other_locations(l);
  };
  const auto is_mutex = [](const Label& l) {
    return l.kind >= OpKind::kLock && l.kind <= OpKind::kUnlock;
  };
  const auto touches_no_object = [](const Label& l) {
    return l.kind == OpKind::kCreate || l.kind == OpKind::kJoin;
  };
  if (is_own_memory(a)) {
    if (!is_own_memory(b)) return is_mutex(b) || touches_no_object(b);
    return b.object + b.size <= a.object || a.object + a.size <= b.object ||
           (a.kind == OpKind::kLoad && b.kind == OpKind::kLoad);
  }
  if (is_mutex(a))
    return is_mutex(b) ? a.object != b.object : is_own_memory(b) || touches_no_object(b);
  return touches_no_object(a);
}

// Whether executed operations a and b, of different threads, depend. Symmetric. Creation and join
// do not depend on other labels here: Trace orders them itself. An atomic block that is unknown
// (atomic_block/block.h) depends on everything that touches anything.
//
// Two threads' arrivals at one phase of a barrier do not depend; see dependent_next() for what an
// arrival does to those of the next phase.
bool dependent(const Event& a, const Event& b);

// The same without knowing the threads: an untimed wake-up then depends on every signal.
bool dependent(const Label& a, const Label& b);

// The same when at least one of them has not run yet. Where the outcome decides, it says true: a
// pending kCas writes, a pending block touches anything.
bool may_depend(const Operation& a, const Operation& b);

// Whether next steps p and q of different threads, both enabled in the same state, are dependent
// there (the paper's E |- p <> q does not hold). This is dependent(), with one exception: an
// arrival that fills its phase moves the other arrival to the next one.
bool dependent_next(const Event& p, const Event& q);

// Whether the operation touches anything that another one could depend on.
bool touches_anything(const Label& label);

// Whether the label reads memory bytes, or writes them.
bool reads_memory(const Label& label);
bool writes_memory(const Label& label);

}  // namespace mazur
