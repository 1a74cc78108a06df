// The edges of an execution graph that go into an event, apart from program order: reads-from,
// coherence and from-read, each reduced to what the others do not imply.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace mazur {

class Communication {
 public:
  explicit Communication(const ExecutionGraph& graph);

  // Calls visit(p) for each p with p -co-> e or p -fr-> e: the store before e, and those that read
  // it. All others come before these.
  template <typename Visit>
  void for_each_overwritten(NodeId e, Visit&& visit) const {
    const Node& n = graph_[e];
    if (writes(n.role)) overwritten(n.location, n.rank, e, visit);
    if (n.held != kNoLocation) overwritten(n.held, n.held_rank, e, visit);
  }

 private:
  static constexpr NodeId kEnd = kNoNode;

  template <typename Visit>
  void overwritten(LocationId x, std::uint32_t rank, NodeId e, Visit& visit) const {
    NodeId reader;
    if (rank == 0) {
      reader = x < of_initial_.size() ? of_initial_[x] : kEnd;
    } else {
      const NodeId previous = graph_.stores(x)[rank - 1];
      visit(previous);
      reader = first_[previous];
    }
    for (; reader != kEnd; reader = next_[reader])
      if (reader != e && graph_[reader].location == x) visit(reader);
  }

  const ExecutionGraph& graph_;
  // Those that only read, as lists by their source. Updates stand in coherence order themselves.
  std::vector<NodeId> first_;
  std::vector<NodeId> next_;
  std::vector<NodeId> of_initial_;
};

}  // namespace mazur
