// Many random programs under all memory models.
#pragma once

#include "agreement.h"

namespace mazur::model {

// verify_weak() on the programs of the campaign. Its explorers, bounds on schedules and orders of
// picking mean nothing here; max_prefixes is the number of graphs beyond which a program is left
// out.
Findings run_weak(const Campaign& campaign);

}  // namespace mazur::model
