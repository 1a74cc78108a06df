// The axiom of c++20 for seq_cst (cpp20.cpp) on graphs without seq_cst fences, by a search.
//
// Without fences psc is scb between seq_cst accesses. For a fixed access and another thread, what it
// comes before by po, po;hb;po or hb-loc is everything from some event on (hb-loc: everything on its
// location); by co or fr it is everything from some place of the coherence order on. So a search
// needs to keep only where that begins, and takes accesses x threads x log(events) at worst.
#pragma once

#include <span>

#include "graph/graph.h"

namespace mazur {

// Whether no cycle of the axiom goes through one of the `changed` events. For a graph that was
// consistent but for what these read and where they stand. There must be no seq_cst fence.
bool seq_cst_without_fences(const ExecutionGraph& graph, std::span<const NodeId> changed);

}  // namespace mazur
