// What a thread waits for at an error, and what it holds, in words.
#pragma once

#include <string>
#include <vector>

#include "report/findings/finding.h"

namespace mazur {

// "waits for mutex account_a, held by thread 2"; of a thread that is not enabled.
std::string waiting(const ThreadState& thread, const Finding& finding);

// ", holding a, b"; empty if it holds nothing.
std::string holding(const std::vector<ObjectId>& locks, const Places& places);

}  // namespace mazur
