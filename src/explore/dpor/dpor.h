// Classic DPOR (Flanagan and Godefroid 2005): the branches explored from every state are a
// persistent set. With or without sleep sets.
#pragma once

#include "explore/explorer.h"

namespace mazur {

std::unique_ptr<Explorer> make_dpor(const ExplorerOptions& options);

}  // namespace mazur
