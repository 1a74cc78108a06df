// Memory that nobody can reach any more at the end of an execution (--leaks).
//
// As in LeakSanitizer, everything that looks like a pointer counts as one: globals of the program
// and its libraries, stacks and thread-local storage of the threads that have not ended, and heap
// blocks that are reachable themselves. So a block that is reported is lost for certain, except if
// the program hides its pointers; a lost block may escape notice.
#pragma once

#include <cstddef>

namespace mazur::native {

void set_up_leaks(bool on);
void reset_leaks();
// A block of the heap was allocated by the running thread.
extern bool leaks_on;
void note_allocation(const void* block);
// The process ends, on the running fiber: reports what is lost.
void find_leaks();

}  // namespace mazur::native
