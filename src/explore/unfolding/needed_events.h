// Which events of U a call of Alt may still need that has not yet been made for the calls of
// Explore on the stack (Algorithm 1, line 13): the spikes of the events in C and D, each after the
// prefix where it was first enabled, with their histories. What would be needed for events that are
// not known now is found again when they are.
#pragma once

#include <vector>

#include "explore/unfolding/disabled.h"
#include "explore/unfolding/structure/configuration.h"

namespace mazur::unfolding {

// By event. C is taken apart and put together again on the way; nothing must be set aside, and
// nothing measured.
std::vector<bool> needed_events(const EventStructure& structure, Configuration& configuration,
                                const Disabled& disabled);

}  // namespace mazur::unfolding
