// Context switches: what --context-bound counts.
#pragma once

#include <span>
#include <vector>

#include "explore/unfolding/structure/event_structure.h"

namespace mazur::unfolding {

// From one event to the next, in this order.
std::size_t switches(const EventStructure& structure, std::span<const EventId> events);

// Brings events, of which causes come first, into an order where that still holds and a thread goes
// on as long as it can: first the thread `running`.
void switch_rarely(const EventStructure& structure, ThreadId running, std::vector<EventId>& events);

// Of `before` and then the events, which are brought into an order with few switches.
std::size_t switches_after(const EventStructure& structure, std::span<const EventId> before,
                           std::vector<EventId>& events);

}  // namespace mazur::unfolding
