// Where an execution was most of the time: a hint for executions that come to no end.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace mazur {

struct Busiest {
  std::vector<Step> schedule;  // ends with one of its operations, not one of the first
  std::uint64_t times = 0;     // how often the thread was at that place; 0: there is none
  std::uint64_t steps = 0;     // of the execution
};

// The place of a thread that it was at most often, if that is a good part of the execution.
Busiest busiest(const Trace& trace);

}  // namespace mazur
