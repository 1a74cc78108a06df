// Barriers in execution graphs.
//
// As long as no more threads come to a barrier than fill a phase, and none comes again before it has
// departed, every phase takes all of them: the k-th arrival of each thread belongs to phase k, in
// whatever order they arrive. So an arrival accesses nothing, and arrivals commute. A departure waits
// for all arrivals of its phase.
//
// That is assumed of all barriers (Locations::arrivals_commute). Once it is seen to be wrong, the
// arrivals at each barrier are a chain, as operations on other objects are, and everything begins
// again. Nobody escapes that: an arrival is always enabled. So if an execution has an arrival that
// shows it, the part before it is in an explored graph, and there the arrival comes, too, at the
// latest when nothing else can run.
#pragma once

#include <cstdint>

#include "graph/graph.h"
#include "trace/fields.h"

namespace mazur {

// Calls visit(a) for each arrival of the phase that a departure waits for, where arrivals commute.
// Returns how many there are; not more than fill the phase.
template <typename Visit>
std::uint32_t for_each_arrival(const ExecutionGraph& graph, const Operation& departure,
                               Visit&& visit) {
  std::uint32_t found = 0;
  for (NodeId a = graph.size(); a-- > 0 && found < capacity(departure);) {
    const Label& l = graph[a].label;
    if (!arrives(l) || l.object != departure.object ||
        arrival_phase(l) != departure_phase(departure))
      continue;
    visit(a);
    ++found;
  }
  return found;
}

// Whether the event, which was just added, shows that the arrivals at its barrier have an order: more
// threads come than fill a phase, or one comes again without having departed; or the barrier begins
// or ends while several threads exist.
bool orders_arrivals(const ExecutionGraph& graph, NodeId e);

}  // namespace mazur
