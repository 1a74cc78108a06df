// Optimal-DPOR with observers: "Optimal dynamic partial order reduction with context-sensitive
// independence and observers", section 4.1 (Algorithm 1 without its context-sensitive part, and
// Fig. 5; the algorithm is due to Aronis et al., TACAS 2018).
//
// Explores every class of executions modulo observability (explore/observers/observability.h)
// exactly once, and starts no execution that turns out to be redundant. Every assertion that can
// fail, every deadlock and every value that any read can get is found; final values of variables
// that nobody reads any more are not. Bytes that are awaited are fully ordered; where an await is
// met late, a class may be explored more than once.
#pragma once

#include "explore/explorer.h"

namespace mazur {

std::unique_ptr<Explorer> make_observers(const ExplorerOptions& options);

}  // namespace mazur
