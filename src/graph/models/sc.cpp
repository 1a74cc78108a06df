// Sequential consistency: po, rf, co and fr have no cycle together. Then they have a common order,
// and a program that is run in that order reads what the graph says, with nothing but memory.
#include "graph/barriers.h"
#include "graph/communication.h"
#include "graph/models/consistency.h"
#include "trace/fields.h"

namespace mazur {

// Depth first from the end of each event's past. The new order stays close to the old one, so that
// executions share long prefixes.
bool linearise(ExecutionGraph& graph, Linear what, std::size_t kept) {
  enum : std::uint8_t { kNew, kOpen, kDone };
  const Communication communication(graph);
  std::vector<std::uint8_t> state(graph.size(), kNew);
  std::vector<NodeId> order;
  order.reserve(graph.size());
  for (NodeId e : graph.order().first(kept)) state[e] = kDone, order.push_back(e);
  std::vector<NodeId> stack;
  for (NodeId root : graph.order().subspan(kept)) {
    if (state[root] != kNew) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const NodeId e = stack.back();
      if (state[e] != kNew) {
        stack.pop_back();
        if (state[e] == kOpen) state[e] = kDone, order.push_back(e);
        continue;
      }
      state[e] = kOpen;
      bool cycle = false;
      const auto visit = [&](NodeId p) {
        if (p >= graph.size() || state[p] == kDone) return;
        cycle = cycle || state[p] == kOpen;
        stack.push_back(p);
      };
      const Node& n = graph[e];
      if (what == Linear::kAll)
        communication.for_each_overwritten(e, visit);
      else if (!is_cell(n.label))  // a load of the flag of a one-time initialisation is none
        communication.for_each_overwritten(e, [&](NodeId p) {
          if (!is_cell(graph[p].label)) visit(p);
        });
      if (n.label.kind == OpKind::kBarrierDepart && graph.arrivals_commute())
        for_each_arrival(graph, n.label, visit);
      for (NodeId p : {n.held_source, n.after, n.source, n.before}) visit(p);
      if (cycle) return false;
    }
  }
  graph.reorder(std::move(order));
  return true;
}

}  // namespace mazur
