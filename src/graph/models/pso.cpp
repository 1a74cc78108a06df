// Partial store order: as tso, but each thread has a buffer for each location, unless the program
// orders its stores by a release. See store_order.h.
#include "graph/models/consistency.h"
#include "graph/models/store_order.h"

namespace mazur {

bool consistent_pso(const ExecutionGraph& graph) {
  return is_consistent(graph, StoreOrder::kPerLocation);
}

}  // namespace mazur
