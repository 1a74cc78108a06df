// What --weaken has found, as lines of a report.
#pragma once

#include <string>

#include "report/findings/finding.h"
#include "report/text.h"

namespace mazur {

// Empty if it was not asked for.
std::string weakening_table(const Result& result, const TextStyle& style);

}  // namespace mazur
