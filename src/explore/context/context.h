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
// algorithm of section 4.2 with the inheritance of 4.4.
//
// The paper's rules lose final states, and its refined check of 4.3 loses failures;
// docs/algorithms/context.md has examples. They are there for comparison, with
// ExplorerOptions::published_rules, and then no exploration is exhaustive.
#pragma once

#include "explore/explorer.h"

namespace mazur {

// The doubt (Explorer::Standing) with the published rules.
inline constexpr char kPublished[] =
    "the published rules (--rules=published) can leave out executions that matter";

std::unique_ptr<Explorer> make_context(const ExplorerOptions& options);
std::unique_ptr<Explorer> make_context_observers(const ExplorerOptions& options);

// context on source DPOR.
std::unique_ptr<Explorer> make_source_context(const ExplorerOptions& options);

}  // namespace mazur
