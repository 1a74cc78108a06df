// Total store order, as the program would be compiled for x86: each thread has a buffer of stores,
// which reach memory in program order. See store_order.h.
#include "graph/models/consistency.h"
#include "graph/models/store_order.h"

namespace mazur {

bool consistent_tso(const ExecutionGraph& graph) { return is_consistent(graph, StoreOrder::kAll); }

}  // namespace mazur
