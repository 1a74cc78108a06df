// Results as SARIF 2.1.0, which code scanning and editors read.
#pragma once

#include <span>
#include <string>

#include "report/machines/reported.h"

namespace mazur {

// One run: a rule for each kind of error, a result for each error, an invocation for each program.
// The schedule of an error is a code flow with a thread flow for each thread; executionOrder is the
// number of the step. What is no error (incomplete, unsupported) is a notification.
std::string sarif_report(std::span<const ReportedResult> results);

}  // namespace mazur
