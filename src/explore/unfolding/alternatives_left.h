// A guess at how many alternatives are left at each call of Explore: for estimates of progress.
#pragma once

#include <vector>

#include "explore/unfolding/alternatives.h"
#include "explore/unfolding/disabled.h"
#include "explore/unfolding/structure/configuration.h"

namespace mazur::unfolding {

// By position in C. Which alternatives are left is found out only when it is their turn. The guess
// is: one for every thread that has an event in conflict with the one under way, without D. Takes
// its time.
std::vector<std::size_t> guess_alternatives_left(const EventStructure& structure,
                                                 const Configuration& configuration,
                                                 const Disabled& disabled,
                                                 const Alternatives& alternatives);

}  // namespace mazur::unfolding
