// Threads that go round for ever without a visible operation: `while (!flag);` on a plain variable,
// `while (1);`. A thread that only computes must not be taken for one, however long that takes
// (watchdog.h).
//
// A loop is endless if that can be proved. After very many plain accesses without an operation, the
// thread is looked at for a while: if it comes back to a place with the registers and the stack
// that it had there (as in waiting_loop.h), has changed nothing else in between, and neither has
// any library (a fingerprint of all memory is the same after another round), then every further
// round is like that one. Looks become rarer, so a long computation is not slowed down. A loop
// without any access is found by the watchdog (endless_code.h).
//
// Such a thread stays where it is: its next operation is a kNever with the value kForever, whose
// object is a variable that it reads, or 0. At a standstill that is a livelock; at the end of the
// process it is no error. A write of another thread to what it reads would let it go on. That is a
// data race. Where it is not reported, the thread should have gone on and did not, so the execution
// does not count as a complete one (left_behind).
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/native/engine/runtime.h"
#include "trace/wait_set.h"

namespace mazur::native {

// The thread has made runtime.look_at accesses since its last operation. It is looked at from now
// on.
void start_looking();
// It comes to an operation, or has been looked at for long enough.
void stop_looking();
// An access of a thread that is looked at, from a hook that has noted its entry or cleared it.
void look(std::uintptr_t address, std::size_t size, bool writes, const void* pc);

// The running thread goes round in a loop for ever. In a signal handler: `stack_pointer` is what it
// had when it was interrupted.
[[noreturn]] void stays_for_ever(const void* pc, void* stack_pointer);

// Other threads write to memory: accesses that are no events, and those that are.
void endless_loops_see(std::uintptr_t address, std::size_t size);
inline bool has_endless_loops() { return (mazur_watch_plain & kWatchLeft) != 0; }
// Whether somebody in this execution has written what such a thread reads.
bool left_behind();

// A new execution.
void forget_endless_loops();

}  // namespace mazur::native
