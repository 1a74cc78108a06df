// A random walk: one schedule after another, for programs whose exploration cannot finish.
#pragma once

#include "explore/explorer.h"

namespace mazur {

// At every step a uniformly chosen enabled thread goes, in a uniformly chosen one of its ways. The
// execution with number i depends only on options.seed and i. Never finishes; choose() is hot and
// allocates nothing.
std::unique_ptr<Explorer> make_random(const ExplorerOptions& options);

}  // namespace mazur
