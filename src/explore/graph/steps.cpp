#include "explore/graph/steps.h"

#include "trace/fields.h"

namespace mazur {

std::vector<Step> steps_of(const ExecutionGraph& graph) {
  std::vector<Step> steps;
  steps.reserve(graph.size());
  const bool weak = graph.model() != MemoryModel::kSc;
  std::vector<StoreRef> run_at(weak ? graph.size() : 0);
  std::vector<std::uint32_t> newest;  // by location: the rank behind the newest store that was run
  for (NodeId e : graph.order()) {
    const Node& n = graph[e];
    Step step{n.thread, n.choice};
    if (weak && (is_cell(n.label) || is_once(n.label.kind))) {
      if (n.location >= newest.size()) newest.resize(n.location + std::size_t{1}, 0);
      std::uint32_t& behind = newest[n.location];
      if (is_memory(n.label.kind) && reads(n.role) &&
          graph.rank_after(n.location, n.source) != behind)
        step.ref = n.source == kInitialStore ? kNoStore : run_at[n.source];
      if (n.role == Role::kStore && n.rank < behind) step.ref = kBehind;
      if (writes(n.role) && n.rank >= behind) behind = n.rank + 1;
      run_at[e] = static_cast<StoreRef>(steps.size());
    }
    steps.push_back(step);
  }
  return steps;
}

}  // namespace mazur
