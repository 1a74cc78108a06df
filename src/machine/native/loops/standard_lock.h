// std::lock() and std::scoped_lock of several std::mutex. Such a call takes all or, when a try fails,
// gives back what it has and begins again. docs/waiting.md says why a thread that has failed can stop
// for good: what it does in the end does not depend on how often it has failed, and nobody else finds
// out about it. The latter is assumed of every mutex that such a call has met, and checked while it
// runs: if somebody else tries such a mutex, the exploration begins again without this.
//
// A call is known by the names of functions in the debug information, as libstdc++ has them.
#pragma once

#include "protocol/slice.h"
#include "trace/label.h"

namespace mazur::native {

struct Entry;
struct Fiber;

// What is known of a thread: part of its WaitingLoop.
struct StandardLock {
  bool here = false;     // the operation at hand, which locks or tries, belongs to such a call
  bool refused = false;  // since the call began, a try has failed
  bool is_inside() const { return here || refused; }
  bool has_failed() const { return here && refused; }
};

// Whether there are such calls, and they are heeded: only then is the rest to be called.
extern bool standard_locks_on;

// While loops are learned: a thread did this, and a thread stands at an operation. If that belongs to
// such a call, they are heeded from heed_standard_locks() on.
void note_for_standard_lock(const Label& did);
void look_for_standard_lock(const Fiber& fiber, const Entry& entry);
void heed_standard_locks();

// A thread stands at its next operation, after it did this. Null: at its first one.
void standard_lock_arrives(Fiber& fiber, const Entry& entry, const Label* did);

// Whether a mutex that such a call has met was tried by somebody else. That they are not heeded any
// more.
bool standard_locks_failed();
void give_up_standard_locks();

// As in round_assumptions.h.
void add_lock_knowledge(SharedKnowledge& known);
void take_lock_knowledge(const SharedKnowledge& known);

}  // namespace mazur::native
