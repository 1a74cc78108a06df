// Rounds that take and give back: a loop that locks, looks and unlocks, that tries a lock again, or
// that takes several locks with a way back. docs/waiting.md says why nothing is lost.
//
// A round of a loop is what a thread does between two visits of one operation in the same state. It
// may lock, try and unlock. It has changed nothing if it has given back all that it took, and only
// that. While it held something, another thread may have found it held: a try that failed is an
// *observer* of the round. A round without observers is in vain by itself. Rounds with observers
// are in vain together if they can be left out together: then the execution *repeats*.
//
// A thread that has made a round in vain stops for good: its next operation is a kNever with the
// value kInVain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "trace/access.h"
#include "trace/fields.h"
#include "trace/kind_set.h"
#include "trace/label.h"
#include "trace/trace.h"

namespace mazur {

// Operation::value of a kNever whose thread has made a round in vain. `object` is something that it
// met there.
inline constexpr std::uint64_t kInVain = 2;
inline bool is_in_vain(const Operation& op) {
  return op.kind == OpKind::kNever && op.value == kInVain;
}

inline constexpr KindSet kMayTake{OpKind::kLock,    OpKind::kTryLock,   OpKind::kRdLock,
                                  OpKind::kWrLock,  OpKind::kTryRdLock, OpKind::kTryWrLock,
                                  OpKind::kSemWait, OpKind::kSemTryWait};
inline constexpr KindSet kTakesOrGives =
    kMayTake | KindSet{OpKind::kUnlock, OpKind::kRdUnlock, OpKind::kWrUnlock, OpKind::kSemPost};

// What the round under way has done with locks. Steps are positions in the trace.
struct LockRound {
  struct Object {
    Space space;
    ObjectId object;
    friend bool operator==(const Object&, const Object&) = default;
  };
  std::vector<Object> taken;  // and not yet given back
  std::vector<Object> met;    // all that it took or tried
  bool observed = false;
  std::uint64_t begin = 0;  // the thread's events after this step belong to it
  std::uint64_t last = 0;   // its last step that others can see

  void start(std::uint64_t step) {
    taken.clear();
    met.clear();
    observed = false;
    begin = last = step;
  }
  // The thread did this. False: it gave away what it had not taken in this round.
  bool note(const Label& did, std::uint64_t step);
  // Whether another thread that did this may have noticed what the round holds. Only what
  // looks_for_locks() can.
  bool is_seen_by(const Label& did) const;
  // Whether this gives back something that the round met.
  bool met_what_is_given(const Label& did) const;
};

// Whether an operation takes something that can be given back, or gives it back.
inline bool takes_or_gives(OpKind kind) { return kTakesOrGives.contains(kind); }
// Whether it takes or tries: a round can begin with it.
inline bool may_take(OpKind kind) { return kMayTake.contains(kind); }
// Whether it finds out about locks that others hold, and goes on.
inline bool looks_for_locks(const Label& did) {
  return did.kind == OpKind::kSemRead || did.kind == OpKind::kAtomicBlock || is_life(did.kind) ||
         (may_take(did.kind) && !acquired(did));
}

// Where the threads of an execution have stood in loops that lock, with the name of their state
// there. Only equal states of a thread have equal names.
class LoopVisits {
 public:
  void clear();
  // A thread has come to an operation that a round can begin with, after so many events of the
  // execution.
  void add(ThreadId thread, std::uint64_t state, std::uint64_t events);
  // It has changed something that lasts. Hot: most executions have no such loops.
  void note_change(ThreadId thread) {
    if (__builtin_expect(any_, 0) && thread < threads_.size()) ++threads_[thread].changes;
  }

  // Whether the execution repeats, as far as the thread knows, whose last round began after step
  // `last_begin`. Some events of it can be left out:
  //   - some of this thread before its last round, and some of other threads;
  //   - those of each thread lie between two visits in the same state, with no change between;
  //   - all have happened before the thread's last event. If the trace keeps no order, that means
  //     that they came earlier.
  // Without them, all other events are still possible, with the same outcomes, and all locks are in
  // the end held by the same threads.
  bool repeats(ThreadId thread, std::uint64_t last_begin, const Trace& trace) const;

 private:
  struct Visit {
    std::uint64_t state, events;
    std::uint32_t changes;
  };
  struct OfThread {
    std::vector<Visit> visits;
    std::uint32_t changes = 0;
  };
  std::vector<OfThread> threads_;
  bool any_ = false;  // somebody has come to one
  friend class Repetition;
};

}  // namespace mazur
