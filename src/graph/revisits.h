// Which loads may be made to read a store that was added after them.
//
// When a load r is revisited from a store w, what was added after r and is not in the past of w is
// deleted. Many graphs become the same one by that. Only one of them may do it: the one in which
// all that is deleted, and r, is the maximal extension of what stays. That means that each deleted
// event read the newest store there was, or was the newest one, and took the first outcome (max),
// that no store which stays has come behind that since (overtaken), and that nothing which stays
// was revisited from something deleted (fixed). So each graph has one parent.
#pragma once

#include "graph/graph.h"

namespace mazur {

// Whether a store in the past P, other than w, was added after e and is coherence-after e (after
// what e reads).
bool is_overtaken(const ExecutionGraph& graph, NodeId e, const std::uint32_t* past, NodeId w);

// The first event by stamps that reads x or y, and that the past does not have; `size` if there is none
// below that. Mostly there is none, above all with locks, whose operations read each other.
NodeId first_reader(const ExecutionGraph& graph, NodeId size, NodeId w, LocationId x, LocationId y,
                    const std::uint32_t* past);

// Calls visit(r, deleted) for each load or update r that may be revisited from a store with this past,
// which writes locations x and y. `deleted`: how many events, with r. w is the store, or kNoNode if it
// is not in the graph. The scan goes down by stamps from `size`, and stops at the first event that is
// not maximal, because every further revisit would delete that one, too.
template <typename Visit>
void for_each_revisit(const ExecutionGraph& graph, NodeId size, NodeId w, LocationId x,
                      LocationId y, const std::uint32_t* past, Visit&& visit) {
  const NodeId first = first_reader(graph, size, w, x, y, past);
  NodeId deleted = 0;
  bool stays = false;  // something that was added later is in the past: it may have overtaken e
  for (NodeId e = size; e-- > first;) {
    if (e == w) continue;
    if (graph.in(e, past)) {
      stays = true;
      continue;
    }
    const Node& n = graph[e];
    if (n.fixed || !n.max || (stays && is_overtaken(graph, e, past, w))) return;
    ++deleted;
    if (reads(n.role) && (n.location == x || n.location == y)) visit(e, deleted);
  }
}

}  // namespace mazur
