// The synchronisation order of an execution: C++'s happens-before, as vector clocks.
//
// Every thread has a clock of its own, which moves on whenever it releases; what it has acquired of
// the others is in its vector. An access of thread u at its clock c happens before whatever thread
// t does now if and only if t's vector holds at least c for u (FastTrack, section 2).
//
// Atomic operations synchronise with the memory orders the program wrote: an acquire takes what the
// store it reads from released, read-modify-writes continue a release sequence and other stores end
// it (C++20), a fence makes relaxed accesses around it count.
#pragma once

#include <cstdint>

#include "machine/native/engine/runtime.h"
#include "trace/label.h"

namespace mazur::native {

using Clock = std::uint32_t;

struct ThreadClocks {
  Clock now[kMaxThreads];             // what happens before the thread's next access
  Clock fence_released[kMaxThreads];  // what its last release fence covers
  Clock fence_acquires[kMaxThreads];  // what its next acquire fence gets
  bool has_fence_released;
  bool has_fence_acquires;
};

extern ThreadClocks thread_clocks[kMaxThreads];

// Whether the access of another thread at that clock happens before what `thread` does now.
inline bool ordered(ThreadId thread, ThreadId other, Clock at) {
  return thread_clocks[thread].now[other] >= at;
}
inline Clock clock_of_thread(ThreadId thread) { return thread_clocks[thread].now[thread]; }

// A new execution: nothing has happened.
void reset_sync_clocks();

// What an executed operation synchronises with, in two halves: its own access to the object comes
// between them. The second half says whether the thread's clock has moved on.
void acquire_by(ThreadId thread, const Label& label);
bool release_by(ThreadId thread, const Label& label);

// The same for an access to memory where what was released is known by the store, not by the
// address: `store` names the one that it reads, or the one that it is, which is new.
void acquire_from_store(ThreadId thread, const Label& label, ObjectId store);
bool release_to_store(ThreadId thread, const Label& label, ObjectId store);

// Order that no event stands for: annotations, and what uninstrumented libraries do.
void acquire_from(ThreadId thread, ObjectId key);
void release_to(ThreadId thread, ObjectId key);
// What was released to `from` is released to `to` as well.
void continue_release(ObjectId from, ObjectId to);
void fence(ThreadId thread, int order);

}  // namespace mazur::native
