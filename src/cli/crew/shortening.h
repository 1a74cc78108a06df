// Shorter schedules for errors that workers have found: once, when the exploration is over.
#pragma once

#include <vector>

#include "cli/run/program_run.h"

namespace mazur {

// Replaces the records by those of an easier schedule to the same error, where there is one.
void shorten(std::vector<Record>& records, const ProgramRun& run, const Installation& installation);

}  // namespace mazur
