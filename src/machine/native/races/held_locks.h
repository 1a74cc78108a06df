// Which locks each thread holds, for reports.
#pragma once

#include <vector>

#include "machine/native/engine/runtime.h"

namespace mazur::native {

// A new execution, or a new thread: it holds nothing.
void forget_held_locks(ThreadId thread);
// An executed operation of the thread: what it took and what it gave back.
void note_held_locks(ThreadId thread, const Label& label);
// In the order they were taken.
std::vector<ObjectId> held_locks(ThreadId thread);

}  // namespace mazur::native
