// Checking as SV-COMP means it: its property files, its answers and its witnesses.
#pragma once

#include <string>

#include "cli/options/check_options.h"
#include "report/findings/finding.h"

namespace mazur {

// Reads a property file (.prp). Throws UsageError if there is none, or if it asks for something
// that is not checked.
void read_property(const std::string& file, Request& request);

// The options that go with the property, if there is one. Throws UsageError for those that do not.
void suit_property(CheckOptions& options);

// Notes SV-COMP's answer in the result and writes the witness that was asked for.
void answer_svcomp(Result& result, const CheckOptions& options);

}  // namespace mazur
