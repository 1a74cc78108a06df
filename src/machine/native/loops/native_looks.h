// Looks of native programs (trace/blocking/look.h): loads that are all that a round of a loop does, or
// all that comes before an assume that fails.
//
// The trial runs before an exploration find them (learn_loops). What a look reads is assumed to be
// written by atomic operations alone, and not to be freed: a data race with a look that is left out
// would not be seen. Where that turns out to be wrong, the exploration begins again without looks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/native/loops/waiting_loop.h"
#include "trace/blocking/look.h"

namespace mazur::native {

// The thread has just got its anchor, at a place where loops wait. If its operation is a look that may
// be left out, its pending operation gets the name of the look, and true is returned.
bool names_look(Fiber& fiber, const Entry& entry);
// A round is over that was in vain: if it was nothing but a look, what it read is known from now on.
void note_round_of_look(const Fiber& fiber);
// The running thread has failed an assume. If it did nothing but a look before, the same is true.
void note_failed_assume();

// Somebody writes plainly, or frees. Only if looks_are_relied_on.
extern bool looks_are_relied_on;
void note_change_of_look(std::uintptr_t address, std::size_t size);
// Whether the exploration has to begin again, and that it does.
bool looks_failed();
void look_again(bool give_up);

}  // namespace mazur::native
