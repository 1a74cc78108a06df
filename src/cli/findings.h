// From what the runtime reported to what is shown.
#pragma once

#include <vector>

#include "cli/run/program_run.h"
#include "report/findings/finding.h"

namespace mazur {

// The result with source lines, the same error listed once. Takes the records out of `end`.
Result make_result(ProgramEnd& end, const std::string& algorithm);

}  // namespace mazur
