// An exploration by several workers on this machine, each a process with its own copy of the program.
#pragma once

#include "cli/build/installation.h"
#include "cli/run/program_run.h"

namespace mazur {

// As run_program(), with so many workers. The result does not depend on how many there are. `first`:
// unless the error that any of them finds first is good enough.
ProgramEnd run_in_parallel(const ProgramRun& run, unsigned workers, bool first,
                           const Installation& installation);

}  // namespace mazur
