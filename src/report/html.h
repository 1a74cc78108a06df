// An error as a page for a browser: a picture of the schedule, and the text of the report.
#pragma once

#include <string>

#include "report/findings/finding.h"

namespace mazur {

// One file without references to others. A lane per thread, a row per step, from top to bottom;
// edges from the creation of a thread to its first step, from its last one to the join, and from
// the send of a message to its receive. Of long schedules only the steps that matter
// (report/findings/relevant.h) are drawn.
std::string html_finding(const Finding& finding);

}  // namespace mazur
