// What code that Mazur does not see means for a result.
#pragma once

#include <string>
#include <vector>

#include "report/findings/finding.h"

namespace mazur {

// The result gets the modules. If code that is not seen ran while several threads existed, it is no
// proof, and errors that may be due to such code say so.
void consider_modules(Result& result, std::vector<CheckedModule> modules);

// The names in `trust` that mean none of the modules.
std::vector<std::string> without_module(const std::vector<std::string>& trust,
                                        const std::vector<CheckedModule>& modules);

}  // namespace mazur
