// What `mazur test` says: a line for each case, then the errors, then how many cases there are of
// each sort; and the same as JSON.
#pragma once

#include <span>
#include <string>

#include "cli/suite/suite_run.h"
#include "report/text.h"

namespace mazur {

// "[ VERIFIED ]    Queue.push (12 executions, 2 ms)", with a line feed, and what else there is to say
// below it.
std::string case_line(const CaseResult& found, const TextStyle& style);

// A heading for each case with errors, and the errors.
std::string suite_errors(std::span<const CaseResult> results, const TextStyle& style);

// The worst of the cases: bug, unsupported, incomplete, verified. Incomplete if none was run.
Verdict suite_verdict(std::span<const CaseResult> results);

// The last lines. `suite`: the program's name and its framework.
std::string suite_summary(std::span<const CaseResult> results, const std::string& suite,
                          double seconds, const TextStyle& style);

std::string suite_json(std::span<const CaseResult> results, const Suite& suite, double seconds);

}  // namespace mazur
