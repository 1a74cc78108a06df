// Lines under the verdict: what it leaves open, how far it came, and what may help. Each is empty
// if there is nothing to say, and ends with a newline otherwise.
#pragma once

#include <string>

#include "report/findings/finding.h"

namespace mazur {

// Operations weaker than seq_cst were in races.
std::string weak_remark(const Result& result);

// How much was explored, if that can be told.
std::string estimate_remark(const Result& result);

// Why no execution ran to its end, and what to try.
std::string no_end_remark(const Result& result);

// Which loops --unroll has cut; a line for each.
std::string cut_loops_remark(const Result& result);
// "each round allocates memory": why a loop does not count as one that waits; without its place. Empty
// if that is not known.
std::string describe_reason(const Result::LoopReason& reason);

}  // namespace mazur
