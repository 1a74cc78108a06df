// Context-sensitive DPOR: "Optimal dynamic partial order reduction with context-sensitive
// independence and observers", sections 3 and 4.
//
// A race whose two orders give the same memory and the same results is not explored in both: the
// sequence that reverses it goes into a don't-do set (dont_do.h). Every final state, failure and
// deadlock is reached, but not every trace. An execution that turns out to be redundant is ended
// and counts as blocked.
//
// context: on optimal DPOR (Algorithm 1), or on source DPOR (Albert et al., CAV 2017) with
// ExplorerOptions::base. context-observers: the same on optimal DPOR with observers: the "union"
// algorithm of section 4.2 with the inheritance of 4.4. The refined check of 4.3 is not in it,
// because it loses failures; docs/how-it-works.md has the example.
#pragma once

#include "explore/explorer.h"

namespace mazur {

std::unique_ptr<Explorer> make_context(const ExplorerOptions& options);
std::unique_ptr<Explorer> make_context_observers(const ExplorerOptions& options);

// The two forms of context.
std::unique_ptr<Explorer> make_optimal_context(const ExplorerOptions& options);
std::unique_ptr<Explorer> make_source_context(const ExplorerOptions& options);

}  // namespace mazur
