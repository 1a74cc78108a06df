// LazyPOR (listing 3.1 of the thesis) with program order (4.1), global branchings (4.2) and without
// empty solutions (4.3): whole executions are planned, by turning round a dependence of one that
// was run. Every Mazurkiewicz trace exactly once, and no execution is started that turns out to be
// redundant, also with operations that block. It terminates without stored states.
//
// docs/algorithms/lazy.md says what differs from the thesis and why nothing is missed.
#pragma once

#include "explore/explorer.h"

namespace mazur {

std::unique_ptr<Explorer> make_lazy(const ExplorerOptions& options);

}  // namespace mazur
