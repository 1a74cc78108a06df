// Atomic blocks: mazur_atomic_begin() and mazur_atomic_end(), their SV-COMP names, and functions
// whose name begins with __VERIFIER_atomic_.
//
// Enabled:    always.
// Does:       all that the thread does up to the end of the block, in one event; inside of it
//             nothing switches. Blocks nest; the outermost counts. A block also ends with its
//             thread, with the process, and with a failure of the thread.
// Depends on: what any of its accesses depends on. Plain accesses count, whatever --races says:
//             between blocks they are neither scheduling points nor races.
// Reversible: always.
//
// Inside of a block there may be atomic and plain accesses, fences, mutexes and spinlocks. A lock
// that is not free can never become free there: that is a deadlock. A failed assume undoes what the
// block wrote: the block has only looked, and its thread never goes on. Every other visible
// operation is unsupported.
//
// For data races, two blocks that conflict are ordered: what a thread did before its block happens
// before what the other does in and after its own. An access in a block and one outside of any
// block are not ordered, unless atomic operations order them.
#pragma once

#include <cstddef>

#include "machine/native/engine/runtime.h"

namespace mazur::native {

// visible() inside of a block.
Label& visible_in_block(const Operation& operation, const void* pc, Wait wait);
// A plain access inside of a block.
void plain_in_block(const void* address, std::size_t size, bool writes, const void* pc);
// The thread that ran has come to an end inside of its block: the event ends there.
void end_open_block();
// A new execution.
void forget_block();

// Between these the running thread does what its last event stands for: nothing is visible, no
// access is looked at, nothing switches.
void begin_hidden();
void end_hidden();

// A block around one call of the C library (library_call.h).
void begin_library_block(const void* pc);
void end_library_block();

// Blocks that are functions. The first begins one; the others are told when a function is entered
// or left. note_call_in_block() returns false when there is no such block.
void begin_function_block(const void* pc);
bool note_call_in_block();
void note_return_in_block();

}  // namespace mazur::native
