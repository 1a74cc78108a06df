// Operations on several objects at once, in parts that are events by themselves: for explorers of
// execution graphs, whose events read one store. What holds such a part together is a lock.
//
// A futex has a lock, as the kernel has one for it. A wait takes it, looks at the word, and then joins
// the waiters and gives it back in one, or gives it back. A wake takes it, signals, and gives it back.
// So a wake never finds a thread that has looked and not yet joined. The lock orders what threads do
// under a weak memory model, as that of the kernel does. It is no synchronisation that the program may
// rely on (kKernelLock).
//
// A wait with a deadline leaves the waiters by an event of its own, which never waits: it was woken if
// a signal has chosen it before. A condition variable's mutex is locked after that.
#pragma once

#include <cstdint>

#include "machine/native/hooks/timeouts.h"

namespace mazur::native {

// Whether they come in parts.
extern bool operations_in_parts;

enum class Slept : std::uint8_t { kNot, kWoken, kTimedOut };

// futex(2): FUTEX_WAIT_BITSET and FUTEX_WAKE_BITSET. kNot: the word had another value.
Slept futex_wait_in_parts(std::uint32_t* word, std::uint32_t expected, std::uint32_t mask,
                          Deadline limit, const void* pc);
// Returns how many it has woken.
long futex_wake_in_parts(std::uint32_t* word, std::uint32_t count, std::uint32_t mask,
                         const void* pc);

// The running thread, which waits on an object, leaves its waiters, not later than its deadline.
// Returns whether it was woken.
bool leave_waiters(const void* object, Deadline limit, const void* pc);

}  // namespace mazur::native
