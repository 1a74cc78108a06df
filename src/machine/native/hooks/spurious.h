// Spurious wake-ups (--spurious-wakeups) and spurious failures (--spurious-failures), as POSIX and
// C++ allow them. Each is a choice of its own (OpKind::kChoose), made before the operation:
//
//   A wait that ends spuriously has left the waiters by the time anybody could signal it, since a
//   waiter that is still there when a signal has nobody else to choose is woken by that signal. So
//   waiting on a condition variable is an unlock and a lock of the mutex, with no access to the
//   condition variable; waiting on a futex only reads the word.
//   A compare-exchange that fails spuriously is a load, a try that does is nothing.
//
// Whether the choice is offered depends on what the thread itself has done, so it is the same in
// all schedules of a trace: so many wake-ups (or failures) of a thread in an execution, and for
// failures only at the first so many visits of each place. Otherwise a loop that tries again would
// have one more choice in every round, and never be known to wait.
//
// None is offered in atomic blocks, which have no choices.
#pragma once

#include <cstdint>
#include <span>

#include "trace/label.h"

namespace mazur::native {

// How many are allowed to each thread.
struct Spurious {
  std::uint32_t wakeups = 0, failures = 0;
};
extern Spurious spurious;

// Whether the wait on this object that the running thread is about to begin ends spuriously.
bool wakes_spuriously(const volatile void* object, const void* pc);
// Whether what it tries with this object fails spuriously.
bool fails_at_will(const volatile void* object, const void* pc);
inline bool fails_spuriously(const volatile void* object, const void* pc) {
  return __builtin_expect(spurious.failures != 0, 0) && fails_at_will(object, pc);
}

// What was allowed in the execution that had these events, as far as it made a difference.
Spurious allowed_in(std::span<const Event> events);

}  // namespace mazur::native
