// The result for programs: DESIGN section 1, docs/use.md.
#pragma once

#include <string>

#include "report/findings/finding.h"

namespace mazur {

std::string json_report(const Result& result);

}  // namespace mazur
