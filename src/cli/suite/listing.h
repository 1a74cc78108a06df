// Asks a test program which cases it has.
#pragma once

#include <string>
#include <vector>

#include "cli/build/installation.h"
#include "cli/suite/framework.h"

namespace mazur {

// Runs the program once, without exploring anything, with the user's arguments and those that make
// the framework list its cases. Throws UsageError if there are none.
std::vector<TestCase> listed_cases(const Framework& framework, const std::filesystem::path& program,
                                   const std::vector<std::string>& arguments,
                                   const Installation& installation);

}  // namespace mazur
