// An execution graph as a schedule.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "trace/label.h"

namespace mazur {

// The steps that run the nodes of a graph in its order. Under `sc` memory alone gives every load
// what it reads. Under a weak model a step says which store it is, unless that is the newest that
// has been run, and of a store whether a newer one has been run.
std::vector<Step> steps_of(const ExecutionGraph& graph);

}  // namespace mazur
