// The trace file that a command was given.
#pragma once

#include <string>

#include "cli/options/options.h"
#include "report/findings/trace_file.h"

namespace mazur {

// The one word among the arguments. Throws UsageError.
std::string only_trace_argument(std::string_view command, const Words& words);

// Throws UsageError with one sentence if it is no good trace file.
TraceFile read_trace_argument(const std::string& name);

}  // namespace mazur
