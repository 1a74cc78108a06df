// An execution graph as plain data: what another process needs to go on with it.
//
// Clocks are left out, because they follow from the rest. Locations have no numbers here: each
// process numbers them as it meets them, and the label of a node says which one it accesses.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/node.h"

namespace mazur {

struct GraphParts {
  // What is known of the location that `witness` accesses (or, with `held`, holds meanwhile).
  struct Location {
    NodeId witness = kNoNode;
    bool held = false;
    std::uint64_t initial = 0;
    std::vector<NodeId> stores;  // in coherence order
    std::vector<NodeId> loads;
  };

  std::vector<Node> nodes;  // by stamps. `place`, `before`, `rank` and the locations say nothing
  std::vector<NodeId> order;
  std::vector<Location> locations;
};

}  // namespace mazur
