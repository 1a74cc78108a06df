// The trace files that a check or a test leaves behind.
#pragma once

#include <string>
#include <vector>

#include "cli/options/check_options.h"
#include "cli/subject/subject.h"
#include "report/findings/finding.h"

namespace mazur {

// Writes a trace file for every finding, PREFIX-1.trace and so on, and notes its name there.
// `arguments`: of the program.
void write_traces(Result& result, const CheckOptions& options, const Subject& subject,
                  const std::vector<std::string>& arguments, const std::string& prefix);

// What the names of trace files begin with, if the user has not said so.
std::string trace_prefix(const CheckOptions& options, const Subject& subject);

}  // namespace mazur
