// The result for programs: docs/use.md, docs/schemas/result.schema.json.
#pragma once

#include <string>

#include "report/findings/finding.h"

namespace mazur {

// `output`: with what the program printed in failing executions.
std::string json_report(const Result& result, bool output = true);

}  // namespace mazur
