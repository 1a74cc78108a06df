// Results as JUnit's XML, which CI systems show as tests.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/machines/reported.h"

namespace mazur {

// One test suite of this name with a case for each result. A bug is a failure, with all its errors
// in one text; what stopped Mazur itself (error, unsupported) is an error. An incomplete result is
// a skipped case with its reason: nothing has failed, and nothing is shown either, so it must not
// look like a test that has passed.
std::string junit_report(std::span<const ReportedResult> results, std::string_view suite = "mazur");

}  // namespace mazur
