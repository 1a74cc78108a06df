// All executions of a model program under a memory model, twice: by adding events in every order
// with every source and every place, as the axioms of weak_graph.h allow; and, for tso and pso, by
// machines with store buffers.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "machine/model/program.h"
#include "weak_graph.h"

namespace mazur::model {

// Adds an event that was just run. Everything that it touches but memory it touches at its newest
// state. What memory it reads and writes is the caller's to say.
WeakGraph::Item& append(WeakGraph& graph, const Event& event);

struct WeakAnswer {
  bool complete = false;        // false: there was too much to search
  std::set<std::string> names;  // of the graphs of maximal executions
  // The same, whatever the order of arrivals at barriers; and whether that order matters.
  std::set<std::string> commuting;
  bool crowded = false;
};

WeakAnswer enumerate_graphs(const Program& program, MemoryModel model, std::size_t max_graphs);
// kTso or kPso. The program must have no loops that wait.
WeakAnswer enumerate_buffers(const Program& program, MemoryModel model, std::size_t max_states);

}  // namespace mazur::model
