// Results to report on, with texts that each format could stumble over.
#pragma once

#include <vector>

#include "report/findings/finding.h"
#include "report/machines/reported.h"

namespace mazur {

// A result with this verdict, with one error (deadlock_sample) if it is a bug.
Result sample_result(Verdict verdict);

// One in which every text that the program, its files or its user chose has what formats end, escape or do not have.
// It has errors whatever its verdict is.
Result hostile_result(Verdict verdict);

// Both for every verdict, and one that says nothing.
std::vector<Result> all_results();

// As reports see it: through its JSON.
ReportedResult reported(const Result& result);

}  // namespace mazur
