// `graph`: explores execution graphs, after TruSt (Kokologiannakis, Marmanis, Gladstein and
// Vafeiadis, POPL 2022). docs/algorithms/graph.md explains it, docs/memory-models.md argues for it.
#pragma once

#include <memory>

#include "explore/explorer.h"
#include "graph/graph.h"

namespace mazur {

class GraphExplorer : public Explorer {
 public:
  // Of the execution under way. After the last choose() of an execution, all of it.
  virtual const ExecutionGraph& graph() const = 0;
};

std::unique_ptr<Explorer> make_graph(const ExplorerOptions& options);

}  // namespace mazur
