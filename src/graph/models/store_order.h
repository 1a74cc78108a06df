// What `tso` and `pso` have in common: coherence, and a global order of what reaches memory.
//
// The global order has what program order preserves (ppo), reads from other threads' stores, co and
// fr. Program order preserves all but a store before a load, and under pso a store before a store to
// another location. It also preserves these if the store is seq_cst, if one of the two is an
// update, a compare-exchange (failed or not) or an operation on a lock or the like, and if a seq_cst
// fence stands between. Under pso two stores stay in order, too, if the later one is release, or if
// a release store or fence stands between: a release store is a store behind a store barrier. Creation and join are seq_cst fences.
#pragma once

#include "graph/graph.h"

namespace mazur {

enum class StoreOrder : std::uint8_t {
  kAll,          // stores of a thread reach memory in program order: tso
  kPerLocation,  // those to one location do: pso
};

bool is_consistent(const ExecutionGraph& graph, StoreOrder stores);

}  // namespace mazur
