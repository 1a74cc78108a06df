// The stacks of fibers: zero below the first frame whenever a thread starts, as a new stack is, so
// that what nobody has initialised there is the same in every execution.
//
// Like the pages of the snapshot, those of a stack are read-only until they are written for the
// first time; the fault makes them writable for good, and from then on they are cleared before
// every execution that uses the stack. So nothing is cleared that was never used. The kernel can
// write into a frame without a fault: when the program called it, the program had already written
// further down.
#pragma once

#include "machine/native/engine/fiber.h"

namespace mazur::native {

// Maps the stack of a fiber at its place. Once.
void set_up_stack(Fiber& fiber);
// Where its first frame ends.
char* first_frame(const Fiber& fiber);
// Makes the stack look like a new one.
void clear_stack(Fiber& fiber);

// A write fault at this address: true if it was the first write to a page of a stack, and may be
// repeated.
bool first_stack_write(const void* address);

}  // namespace mazur::native
