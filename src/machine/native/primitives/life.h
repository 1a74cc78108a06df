// The lives of the objects that threads synchronise with: where they were initialised and
// destroyed, and errors about objects that are not alive.
//
// Whether an object is alive is written in its own bytes, as everything about it is (primitive.h):
// it is forgotten when the program writes something else there, be it a static initialiser or
// another object in the same place. What is kept here is only for reports.
//
// Initialising and destroying are events that depend on all uses of the object, so both orders of a
// destruction and a use are explored. Whether one of them is an error does not depend on the order
// of independent events. They are no events while there is only one thread: all others have been
// joined, so whatever happens next comes after their uses and before those of threads to come.
#pragma once

#include "machine/native/primitives/primitive.h"
#include "trace/access.h"

namespace mazur::native {

// A thread's tag in an object (primitive.h) is never negative.
inline constexpr int kDead = -1;

// What an object is called in reports: "mutex", "condition variable".
using ObjectName = const char*;

// The running thread is about to begin or end the life of an object. Returns when it may. If this
// is no event, nobody looks at the label.
Label& life_event(OpKind kind, Space space, const void* object, const void* pc);
// The same where this is always an event.
Label& life_event_even_alone(OpKind kind, Space space, const void* object, const void* pc);

// The running thread has begun or ended the life of an object: from here on that is known.
void note_life(OpKind kind, const void* object, const void* pc);
// How often an object was initialised in this execution.
std::uint32_t lives_of(const void* object);

// The running thread does something ("locked", "waited for") with an object that is not alive. The
// other side of the error is where it was destroyed.
[[noreturn]] void fail_dead(ObjectName name, const void* object, const char* done, const void* pc);
// It begins or ends the life of an object that another thread, or itself, uses: "holds", "waits
// on". The other side is where that one began to.
[[noreturn]] void fail_in_use(ObjectName name, const void* object, const char* done, ThreadId user,
                              const char* use, const void* pc);
// Who holds the mutex, spinlock or reader-writer lock, as far as the events of this execution tell,
// or kNoThread. Of several readers, the last one.
ThreadId known_holder(const void* object);

// An error wants to know more about its other side: the execution is to be run again.
bool wants_other_side();
// The execution was run again.
void other_side_is_known();

}  // namespace mazur::native
