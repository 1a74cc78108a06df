// Finds out whether code that Mazur does not see runs while several threads exist.
//
// mazur says which modules, or which instructions in an instrumented one, are not seen
// (protocol/channel.h). Before the first execution they are *armed*: the pages of such a module
// cannot be executed, such an instruction is replaced by one that faults. So whatever way leads
// there (a call, a return, a callback, a pointer) leads to one fault, and from then on the code
// runs as always:
//
// - if several threads exist, it is noted with the call stack, for good;
// - if there is only one, the code is armed again while several threads exist. That costs two
//   system calls for each execution of such a program. Code that does not run, or has been noted,
//   costs nothing.
#pragma once

#include <signal.h>

#include <cstddef>
#include <vector>

#include "protocol/record.h"

namespace mazur::native {

// What is loaded now, the program first, with an empty path.
std::vector<Module> loaded_modules();

// Lists the modules, if that was asked for, waits for the answer and arms what it says. Once,
// before the first execution.
void watch_modules();

// A signal: true if it came from armed code, which can now go on.
bool runs_armed_code(int number, const siginfo_t& info, void* context);

// The number of threads has changed.
extern bool arms_again;
void arm_for(std::size_t threads);
inline void note_thread_count(std::size_t threads) {
  if (__builtin_expect(arms_again, 0)) arm_for(threads);
}

}  // namespace mazur::native
