// What a request asks of an exploration, on any machine.
#pragma once

#include "check/bounds.h"
#include "check/channel.h"
#include "explore/explorer.h"

namespace mazur {

Bounds bounds_of(const Request& request);
ExplorerOptions explorer_options_of(const Request& request);

}  // namespace mazur
