// Plain writes that leave memory as it was: a loop that notes again and again what it has read, as a
// ring does whose sides cache each other's index. docs/waiting.md says why such a step has changed
// nothing.
//
// While writes are watched, each one is noted with what was there. When the thread comes to its next
// operation, it is compared with what is there now. This costs time, so it is done in the trial runs
// before an exploration (waiting_loop.h). If a loop is found there that needs it, it is also done
// later, for threads that may be in a loop.
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/native/engine/runtime.h"

namespace mazur::native {

struct Fiber;

// Writes of every thread are watched from now on, or only where expect_kept_memory() is heeded.
void watch_all_writes(bool on);
// A loop was found that writes what is there already.
void expect_kept_memory();
// Before a thread is resumed that may be in a loop.
void watch_writes_of_step();

// An access of the running thread while writes are watched: in place of note_access().
void note_watched_access(const volatile void* address, std::size_t size, bool writes);
// The thread has come to its next operation: sets runtime.changed if a write has changed something,
// and WaitingLoop::kept if there were some and none has.
void compare_writes(Fiber& fiber);

}  // namespace mazur::native
