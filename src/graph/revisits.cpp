#include "graph/revisits.h"

#include <algorithm>

namespace mazur {

bool is_overtaken(const ExecutionGraph& graph, NodeId e, const std::uint32_t* past, NodeId w) {
  const auto overtakes = [&](NodeId s) { return s > e && s != w && graph.in(s, past); };
  const Node& n = graph[e];
  if (n.role != Role::kNone) {
    const std::uint32_t from = reads(n.role) ? graph.rank_after(n.location, n.source) : n.rank + 1;
    if (std::ranges::any_of(graph.stores(n.location).subspan(from), overtakes)) return true;
  }
  return n.held != kNoLocation &&
         std::ranges::any_of(graph.stores(n.held).subspan(n.held_rank), overtakes);
}

NodeId first_reader(const ExecutionGraph& graph, NodeId size, NodeId w, LocationId x, LocationId y,
                    const std::uint32_t* past) {
  NodeId first = size;
  const auto look = [&](NodeId e) {
    if (e < first && e != w && !graph.in(e, past)) first = e;
  };
  for (LocationId location : {x, y}) {
    if (location == kNoLocation) continue;
    for (NodeId load : graph.loads(location)) look(load);
    for (NodeId store : graph.stores(location))
      if (graph[store].role == Role::kUpdate && graph[store].location == location) look(store);
  }
  return first;
}

}  // namespace mazur
