// Optimal-DPOR (JACM Algorithm 2, with blocking as in Algorithms 4 and 6): every Mazurkiewicz trace
// exactly once, and no execution is started that turns out to be redundant.
#pragma once

#include "explore/explorer.h"

namespace mazur {

std::unique_ptr<Explorer> make_optimal(const ExplorerOptions& options);

}  // namespace mazur
