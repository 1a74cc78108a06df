#include "graph/models/consistency.h"

#include <algorithm>

#include "trace/fields.h"

namespace mazur {

namespace {

// Whether the order of the graph has to be looked at because of an event that only looks at a lock
// or the like, or replaces an entry of a table whatever it is. Updates of these are in order by what
// they read.
bool has_looks(const ExecutionGraph& graph) {
  for (NodeId e = 0; e < graph.size(); ++e)
    if ((graph[e].role == Role::kLoad || graph[e].role == Role::kStore) && !is_cell(graph[e].label))
      return true;
  return false;
}

// Whether what was changed still comes behind what it reads. Events that were added where they are do,
// but for looks at locks the order may have been changed since.
bool follows_sources(const ExecutionGraph& graph, std::span<const NodeId> changed) {
  return std::ranges::all_of(changed, [&](NodeId c) {
    const auto waits_for = [&](NodeId e) { return e < graph.size() && e != c; };
    int missing = (waits_for(graph[c].source) ? 1 : 0) + (waits_for(graph[c].held_source) ? 1 : 0);
    for (NodeId e : graph.order()) {
      if (missing == 0) return true;
      if (e == c) return false;
      missing -= (e == graph[c].source ? 1 : 0) + (e == graph[c].held_source ? 1 : 0);
    }
    return true;
  });
}

// How much of the order, which extended po, rf, co and fr before the change, still does. All edges
// that are new are between accesses to the locations of what was changed.
std::size_t unchanged_part(const ExecutionGraph& graph, std::span<const NodeId> changed) {
  const auto is_touched = [&](LocationId x) {
    return x != kNoLocation && std::ranges::any_of(changed, [&](NodeId c) {
             return x == graph[c].location || x == graph[c].held;
           });
  };
  std::size_t part = 0;
  for (NodeId e : graph.order()) {
    if (is_touched(graph[e].location) || is_touched(graph[e].held)) break;
    ++part;
  }
  return part;
}

}  // namespace

bool make_consistent(ExecutionGraph& graph, std::span<const NodeId> changed) {
  bool consistent = true;
  switch (graph.model()) {
    case MemoryModel::kSc:
      return linearise(graph, Linear::kAll, unchanged_part(graph, changed));
    case MemoryModel::kTso:
      consistent = consistent_tso(graph);
      break;
    case MemoryModel::kPso:
      consistent = consistent_pso(graph);
      break;
    case MemoryModel::kCpp20:
      consistent = consistent_cpp20(graph, changed);
      break;
  }
  return consistent && ((!has_looks(graph) && follows_sources(graph, changed)) ||
                        linearise(graph, Linear::kObjects));
}

bool knows(const ExecutionGraph& graph, LocationId x, NodeId store, NodeId last) {
  if (store == kInitialStore) return true;
  if (last == kNoNode) return false;
  // Under sc and tso whatever is in the porf-past is known; under the others only what happens
  // before.
  const std::uint32_t* clock =
      graph.keeps_synchronisation() ? graph.happened(last) : graph.past(last);
  if (graph.in(store, clock)) return true;
  return std::ranges::any_of(graph.loads(x), [&](NodeId load) {
    return graph[load].source == store && graph.in(load, clock);
  });
}

}  // namespace mazur
