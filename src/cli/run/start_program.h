// Starting a program with our runtime in libtsan's place.
#pragma once

#include "cli/build/installation.h"
#include "cli/run/program_run.h"
#include "protocol/channel.h"

namespace mazur {

// Exit codes of a program that did not start.
inline constexpr int kNotStarted = 127;
inline constexpr int kGaveUp = 97;  // the runtime has printed why

// Throws UsageError if the runtime is missing.
void require_runtime(const Installation& installation);

// The run's request with what the environment says.
Request complete_request(const ProgramRun& run);

// In a new process: becomes the program, which finds its channel behind the descriptor.
[[noreturn]] void become_program(const ProgramRun& run, const Installation& installation,
                                 int descriptor);

// Switches address randomisation off for programs started from here. False where that is forbidden.
bool fix_addresses();

}  // namespace mazur
