// From what the runtime reported to what is shown.
#pragma once

#include <vector>

#include "cli/run/program_run.h"
#include "report/findings/finding.h"

namespace mazur {

// The result with source lines, the same error listed once. Takes the records out of `end`.
Result make_result(ProgramEnd& end, const std::string& algorithm);

// The same with what the request says, advice on memory orders, and what it means that code is not
// seen. Of `end`, the modules stay.
Result complete_result(ProgramEnd& end, const Request& request);

}  // namespace mazur
