// The memory models as predicates on execution graphs: one file for each. docs/memory-models.md
// gives the axioms.
//
// All of them have in common: program order and reads-from have no cycle (a graph's order() extends
// both), an update reads the store right before its own (a graph's invariant), and coherence.
// Every model is closed under porf-prefixes and extensible: a new event that reads the newest store,
// or is the newest one, keeps a graph consistent. So only alternatives are ever checked.
#pragma once

#include "graph/graph.h"

namespace mazur {

// Whether the graph, which was consistent but for the reads and places of `changed`, is consistent.
// Under `sc` its order becomes one in which every load reads the store that was run last. Then a
// machine needs to be told nothing but the order. It must have been such a one before the change.
bool make_consistent(ExecutionGraph& graph, std::span<const NodeId> changed);

// Whether the past of an event, which ends with `last` in its thread, knows of the store already, so
// that by coherence the event neither reads nor writes before it.
bool knows(const ExecutionGraph& graph, LocationId x, NodeId store, NodeId last);

// Gives the graph an order that also extends co and fr: of all locations (sc), or of locks and other
// objects alone. These are sequentially consistent under every model. False: there is none. The
// first `kept` nodes of the order stay where they are.
enum class Linear : std::uint8_t { kAll, kObjects };
bool linearise(ExecutionGraph& graph, Linear what, std::size_t kept = 0);
// One for each other model.
bool consistent_tso(const ExecutionGraph& graph);
bool consistent_pso(const ExecutionGraph& graph);
bool consistent_cpp20(const ExecutionGraph& graph, std::span<const NodeId> changed);

}  // namespace mazur
