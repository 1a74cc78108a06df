// Quasi-Optimal POR (Nguyen, Rodriguez, Sousa, Coti, Petrucci): exploration of the unfolding with
// k-partial alternatives. k = 0: every Mazurkiewicz trace exactly once, and no execution is started
// that turns out to be redundant. Otherwise some may be; the larger k, the fewer.
#pragma once

#include "explore/explorer.h"

namespace mazur {

std::unique_ptr<Explorer> make_quasi(const ExplorerOptions& options);

}  // namespace mazur
