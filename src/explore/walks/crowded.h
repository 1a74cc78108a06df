// Walks in which threads are created first.
//
// A bug that needs many threads at work at once is unlikely in a random walk: the first threads
// have ended before the last one begins. Here a thread that is about to create another one goes
// before all others; everything else is as the walk inside chooses.
#pragma once

#include <memory>

#include "explore/explorer.h"

namespace mazur {

// `walk` must keep nothing from one execution to the next (keep() is 0).
std::unique_ptr<Explorer> make_crowded(std::unique_ptr<Explorer> walk);

}  // namespace mazur
