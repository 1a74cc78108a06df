// Operations that can be disabled: which races can be reversed, what an operation does when it
// comes earlier, and which events disable an operation (JACM section 8).
//
// Together with access.h this is all that explorers know about the kinds of operations.
#pragma once

#include <span>

#include "base/function_ref.h"
#include "trace/fields.h"
#include "trace/trace.h"

namespace mazur {

// Whether the race e <~ f is reversible (JACM 3.3): in the equivalent executions where e and f are
// adjacent, f's thread was not blocked just before e. e must be one of trace.races(f), or one of
// the races of another order over the trace, which has these clocks (HappensBefore).
bool reversible(const Trace& trace, EventIndex e, EventIndex f,
                const std::uint32_t* clocks = nullptr);

// Whether a write enables the loops that wait for its location (wait_set.h). A compare-exchange or
// exchange that leaves the value as it was does not: two threads that spin on one lock would wake
// each other for ever.
bool wakes(const Label& label);

// Whether the executed e and the operation that a thread is to run next can both be enabled in one
// state. Returns true when the labels do not tell.
bool may_be_co_enabled(const Event& e, ThreadId thread, const Operation& next);

// f as it would be in pre(E, e).notdep(e, E).f, for a reversible race: the same operation, with the
// outcome it would have if e had not happened. If that can change the number of its outcomes, it
// takes the first one; the others are found when it has run. An atomic block that would read
// something else becomes an unknown one (atomic_block/block.h).
Event after_reversal(const Trace& trace, EventIndex e, EventIndex f);

// Whether the outcome of after_reversal() is only a guess. A label does not know all values of a
// write of more than 8 bytes. So a compare-exchange or futex wait on the rest is said to succeed:
// what it depends on if it fails, it also depends on if it succeeds.
bool is_guess(const Trace& trace, EventIndex e, EventIndex f);

// An operation that an earlier event may have disabled: executed (then `end` is its position) or
// still pending when the trace ends (`end` is the length of the trace).
struct Waiting {
  ThreadId thread = kNoThread;
  Operation op;
  EventIndex program_predecessor = kNoEvent;
  EventIndex end = 0;
  // kAwait: bit i: the i-th comparison holds at `end`.
  std::uint8_t holds = 3;
  // The order to go by, where that is not the trace's (HappensBefore).
  const std::uint32_t* clocks = nullptr;
};
Waiting waiting(const Trace& trace, EventIndex f);
Waiting waiting(const Trace& trace, ThreadId thread, const Operation& op, std::uint8_t holds);

// Whether an operation can be disabled by others. All other kinds never wait or, once enabled, stay
// so.
inline bool can_be_disabled(const Operation& op) {
  switch (op.kind) {
    case OpKind::kLock:
    case OpKind::kRdLock:
    case OpKind::kWrLock:
    case OpKind::kSemWait:
    case OpKind::kCondWake:
    case OpKind::kOnceEnter:
    case OpKind::kAwait:
      return true;
    default:
      return is_look(op);
  }
}

// A race in which e disables the waiting operation p (JACM Alg. 3-6):
//   E' = pre(E, e);
//   u is what follows E' in E, without `dropped` and without all that happens after those;
//   p is enabled after E'.u, and not after E'.u.e;
//   v = u.p.
// dropped[0] is e. `step` is p with the label it has after E'.u.
using Disabled = FunctionRef<void(std::span<const EventIndex> dropped, const Event& step)>;

// Calls found for the disabling races of an operation.
//
// In some cases all operations on the object are ordered with e: mutexes, semaphores, once, a
// reader that waits for writers. Then notdep(e, E) has nothing on the object, u is notdep(e, E),
// and only the last event that could disable p matters (Algorithms 3 and 4). In the correctness
// proof, z' is any sequence that completes the execution. Choose one where p goes as soon as it is
// enabled: then no other event that disables p comes between e and p.
//
// For a writer that waits for readers, and for an await, all subsets of the events on the object
// are tried (Algorithms 5 and 6, lines 6 and 11).
//
// Returns false if there were too many subsets and some were left out: then the result is not a
// proof.
bool disabling_races(const Trace& trace, const Waiting& waiting, Disabled found);

}  // namespace mazur
