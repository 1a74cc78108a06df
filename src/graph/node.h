// An event of an execution graph.
//
// The nodes of a graph are numbered by their stamps: the order in which they were added. A revisit
// gives a load a store with a later stamp, so stamps do not extend reads-from. The order in which
// the nodes are run does (ExecutionGraph::order).
#pragma once

#include <cstdint>

#include "trace/label.h"

namespace mazur {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xfffffffe;
inline constexpr NodeId kInitialStore = 0xffffffff;  // what a location holds before all its stores

using LocationId = std::uint32_t;
inline constexpr LocationId kNoLocation = 0xffffffff;

// What an event does to its location. An update reads and writes at once: its store comes right
// after the one that it reads.
enum class Role : std::uint8_t { kNone, kLoad, kStore, kUpdate };
constexpr bool reads(Role role) { return role == Role::kLoad || role == Role::kUpdate; }
constexpr bool writes(Role role) { return role >= Role::kStore; }

struct Node {
  ThreadId thread = kNoThread;
  std::uint16_t choice = 0;
  std::uint16_t ways = 1;
  Role role = Role::kNone;
  bool max = true;     // it read the newest store, or is the newest one, and took the first outcome
  bool fixed = false;  // in the past of a store that was revisited from
  bool learnt = false;      // it has been run in this graph, so the results in its label are true
  std::uint32_t place = 0;  // in its thread, from 0
  LocationId location = kNoLocation;
  NodeId source = kNoNode;  // the store that it reads
  std::uint32_t rank = 0;   // of a store: its place in the coherence order of its location
  NodeId before = kNoNode;  // the previous event of its thread, or the creation of the thread
  NodeId after = kNoNode;   // another one that it waited for: the end of a thread, a signal, ...
  LocationId held = kNoLocation;  // kCondWait: the mutex, which it updates as well
  NodeId held_source = kNoNode;
  std::uint32_t held_rank = 0;
  std::uint64_t left_locked = 0;  // kAtomicBlock: mutexes_left_locked()
  Label label;
};

}  // namespace mazur
