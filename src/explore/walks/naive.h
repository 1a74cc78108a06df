// Every interleaving, by depth-first search: no reduction, the oracle for every other explorer.
#pragma once

#include "explore/explorer.h"

namespace mazur {

// Runs every maximal sequence of steps exactly once. Options are not used.
std::unique_ptr<Explorer> make_naive(const ExplorerOptions& options);

}  // namespace mazur
