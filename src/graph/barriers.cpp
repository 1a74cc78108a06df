#include "graph/barriers.h"

#include <algorithm>
#include <vector>

namespace mazur {
namespace {

bool is_arrival(const Node& n, ObjectId barrier) {
  return n.label.kind == OpKind::kBarrierArrive && n.label.object == barrier;
}

// Whether the thread has arrived there before and not departed since.
bool comes_again(const ExecutionGraph& graph, const Node& arrival) {
  for (NodeId p = arrival.before; p != kNoNode && graph[p].thread == arrival.thread;
       p = graph[p].before) {
    if (is_arrival(graph[p], arrival.label.object)) return true;
    if (graph[p].label.kind == OpKind::kBarrierDepart &&
        graph[p].label.object == arrival.label.object)
      return false;
  }
  return false;
}

}  // namespace

bool orders_arrivals(const ExecutionGraph& graph, NodeId e) {
  const Node& n = graph[e];
  const ObjectId barrier = n.label.object;
  const bool life = is_life(n.label.kind) && space_of(n.label) == Space::kQueue;
  if (!life && n.label.kind != OpKind::kBarrierArrive) return false;
  if (!life && comes_again(graph, n)) return true;
  std::vector<ThreadId> threads;  // that have arrived
  for (NodeId a = 0; a < graph.size(); ++a) {
    if (is_arrival(graph[a], barrier)) {
      if (life) return true;
      if (std::ranges::find(threads, graph[a].thread) == threads.end())
        threads.push_back(graph[a].thread);
    } else if (!life && is_life(graph[a].label.kind) && graph[a].label.object == barrier) {
      return true;
    }
  }
  return threads.size() > capacity(n.label);
}

}  // namespace mazur
