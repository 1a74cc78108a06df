// Where operations are, for --unroll: the call stacks that Pending::place stands for, and which of
// them are at the lines of --unroll=FILE:LINE=N.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/frontier.h"

namespace mazur::native {

// Sets loop_bound of the threads, by their call stacks. A line is looked up in the debug
// information when its place is first seen. Scheduler context, with runtime.note_places.
void note_places(std::vector<Pending>& threads);

// The call stack at a place, innermost first; empty if it has not been seen.
std::vector<std::uint64_t> stack_at(std::uint64_t place);

}  // namespace mazur::native
