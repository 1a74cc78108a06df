// What this process has noticed that belongs to no execution (protocol/slice.h).
#pragma once

#include "protocol/channel.h"
#include "protocol/slice.h"

namespace mazur::native {

// Without notes. `channel`: where the rest of the runtime has noted it.
Remarks remarks_in(const Channel& channel);

}  // namespace mazur::native
