// Whether a thread is where it was at the anchor of its loop, but for bytes of its frame, or registers,
// that it will overwrite before it reads them (dead_slots.h).
#pragma once

namespace mazur::native {

struct Entry;
struct Fiber;

// The thread stands at its anchor's operation, which reads memory, with the same stack pointer. The
// rest of the two states differs.
bool same_but_dead(const Fiber& fiber, const Entry& entry);

}  // namespace mazur::native
