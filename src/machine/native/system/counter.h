// The processor's time stamp counter: rdtsc and rdtscp answer with virtual time.
//
// If a module of the program has such an instruction, the kernel is asked to refuse it to this
// process, and the signal that follows is answered here. The kernel's own part of every process,
// the vdso, reads the counter as well; it gets the real one, so that the C library's clocks stay
// right for whoever needs real time.
#pragma once

namespace mazur::native {

// Looks for the instructions in all modules but the C and C++ libraries. Once, when handlers for
// signals are installed.
void set_up_counter();

// Whether the counter is refused, and answered by us.
bool counts_for_program();

// A fault because of such an instruction: answers it, and returns whether it was one.
bool answer_counter(void* signal_context);

}  // namespace mazur::native
