#include "graph/communication.h"

namespace mazur {

Communication::Communication(const ExecutionGraph& graph)
    : graph_(graph), first_(graph.size(), kEnd), next_(graph.size(), kEnd) {
  for (NodeId e = 0; e < graph.size(); ++e) {
    const Node& n = graph[e];
    if (n.role != Role::kLoad) continue;
    NodeId* first = nullptr;
    if (n.source == kInitialStore) {
      if (n.location >= of_initial_.size()) of_initial_.resize(n.location + std::size_t{1}, kEnd);
      first = &of_initial_[n.location];
    } else {
      first = &first_[n.source];
    }
    next_[e] = *first;
    *first = e;
  }
}

}  // namespace mazur
