// Independence put to the test: two steps that do not conflict can be swapped, everywhere.
#pragma once

#include <string>

#include "machine/model/program.h"

namespace mazur::model {

// Looks at the reachable states of the program, at most `max_states` of them. Empty, or two steps
// that do not conflict and yet one enables, disables or changes the other: the dependence lacks
// something.
std::string broken_diamond(const Program& program, std::size_t max_states);

}  // namespace mazur::model
