// Where rounds of loops begin and end: at operations, in the state that a thread has there. What a round
// was good for is judged elsewhere (round_in_vain.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/native/engine/fiber.h"
#include "machine/native/loops/waiting_loop.h"

namespace mazur::native {

// How the program called the hook that the fiber was left in, if that is known. A note of another
// hook does not fit: it is of another stack, or of frames that are left.
inline bool is_noted(const Fiber& fiber) {
  constexpr std::uintptr_t kFrames = 1024;  // more than the runtime's own frames take
  return mazur_entry.sp - reinterpret_cast<std::uintptr_t>(fiber.sp) < kFrames;
}
inline Entry entry_of(const Fiber& fiber) { return is_noted(fiber) ? mazur_entry : Entry{}; }

inline char* stack_pointer(const Entry& entry) { return reinterpret_cast<char*>(entry.sp); }
inline char* stack_end(const Fiber& fiber) { return fiber.stack + kStackSize; }
inline char* anchor_begin(const Fiber& fiber) {
  return stack_end(fiber) - fiber.loop.anchor.size();
}

// The same for operations in the same state, and mostly another one for others. The functions that
// call pthread_mutex_lock() are called from many places themselves.
std::uint64_t place_in_loop(const Fiber& fiber, const Entry& entry);
// A name of the thread's state: where it is, its registers and its stack.
std::uint64_t state_name(const Fiber& fiber, const Entry& entry, std::uint64_t place);

// The places at which loops were seen to wait in trial runs (note_loops). Whether this is one.
bool notes_loops();
bool is_learned(std::uint64_t place);
// While such places are learned, this is one.
void note_learned_place(std::uint64_t place);
// The round of this loop has come to its end: while such places are learned, this is one.
void note_learned(const WaitingLoop& loop);

// The thread's operation begins a round, after this step.
void set_anchor(Fiber& fiber, const Entry& entry, std::uint64_t step, std::size_t patience = 1);
// Whether the thread, at the operation of its anchor again, is in the state that it had there.
bool as_at_anchor(const Fiber& fiber, const Entry& entry);

}  // namespace mazur::native
