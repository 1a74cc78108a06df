// A walk of the portfolio: an exploration of its own on the machine of another one.
#pragma once

#include <memory>

#include "check/portfolio/portfolio.h"

namespace mazur {

// `bounds` are those of the exploration beside which it runs, `watcher` hears of its errors.
std::unique_ptr<Walk> make_walk(Machine& machine, std::unique_ptr<Explorer> explorer,
                                bool spurious_wakeups, const Bounds& bounds, Watcher& watcher);

}  // namespace mazur
