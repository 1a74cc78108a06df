// Source-DPOR (JACM Algorithm 1, with blocking as in Algorithms 3 and 5): the branches explored
// from every state are a source set. No trace is run to its end twice, but executions may be
// started that turn out to be redundant.
#pragma once

#include "explore/explorer.h"

namespace mazur {

std::unique_ptr<Explorer> make_source(const ExplorerOptions& options);

// The same with the stronger test of JACM section 5.1: the branches are a persistent set. This is
// what the paper calls classic DPOR, with sleep sets.
std::unique_ptr<Explorer> make_persistent(const ExplorerOptions& options);

}  // namespace mazur
