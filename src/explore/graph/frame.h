// A graph under exploration with the alternatives that are left of it. Frames form a stack, one for
// each nested revisit, and share nothing.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace mazur {

// Another way for a graph to go on. All are taken last in, first out, so what has a stamp below
// `size` is then as it was when the alternative was found.
struct Alternative {
  enum class Kind : std::uint8_t {
    kRead,          // event reads `store`
    kPlace,         // event stands at `rank` of its coherence order
    kOutcome,       // event takes the outcome `choice`
    kRevisit,       // event is revisited from `store`
    kHypothetical,  // event is revisited from an update that is not in the graph (GraphFrame::updates)
    kVariant,       // the revisit that began the frame, with its store at `rank` and this outcome
    kGoOn,          // the graph as it is, which has not been run yet
  };
  Kind kind;
  std::uint16_t choice = 0;
  NodeId event = kNoNode;
  NodeId store = kNoNode;
  std::uint32_t rank = 0;
  NodeId size = 0;  // how many nodes stay
  // For estimates alone (weights.cpp): how many events are as they will be, and what part of the whole
  // search this is.
  NodeId kept = 0;
  double weight = 0;
};

struct GraphFrame {
  ExecutionGraph graph;
  std::vector<Alternative> todo;
  // Updates as they would be if they read a store that another one has taken.
  std::vector<Node> updates;
  // The revisit that it began with: the store, and what was revisited unless that waits again.
  NodeId store = kNoNode;
  NodeId revisited = kNoNode;
  Role role = Role::kLoad;  // what that does then
  NodeId size = 0;          // of the graph at its beginning
};

}  // namespace mazur
