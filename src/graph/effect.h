// What operations do to their location, and what they would do if they read another store: the
// knowledge about kinds of operations that execution graphs need.
#pragma once

#include <cstdint>

#include "graph/graph.h"

namespace mazur {

// Whether graphs of the model know the operation at all.
bool is_known(const Operation& op, MemoryModel model);

// What an executed operation did to its location, which is not the wide one (wide.h).
Role role_of(const Label& label);

enum class Effect : std::uint8_t {
  kBlocked,  // it cannot run there
  kNever,    // its thread has read a newer store already
  kLoad,     // it only reads
  kUpdate,
  kTake,     // it takes the message that this store has sent, and reads nothing else
  kUnknown,  // it depends on a value that is not known yet
};
// An event with an unknown effect is a load until it has run.
constexpr Role role_after(Effect effect) {
  if (effect == Effect::kTake) return Role::kNone;
  return effect == Effect::kUpdate ? Role::kUpdate : Role::kLoad;
}

// What the operation of e would do if it read that store of its location. It need not be in the
// graph.
Effect effect_after(const ExecutionGraph& graph, const Node& e, NodeId source);

// The store that an event reads which has just been run with this role and label: the newest one; of
// a receive that took a message, its send. kNoNode: it reads nothing. Throws std::logic_error if
// nobody has sent the message.
NodeId source_when_run(const ExecutionGraph& graph, const Node& e);

// How many outcomes it would have there.
std::uint16_t ways_after(const ExecutionGraph& graph, const Node& e, NodeId source);

// The event besides its predecessor that a node waited for, or would have to wait for; kNoNode if
// there is none (yet). `needs`: it cannot run without one.
NodeId awaited(const ExecutionGraph& graph, const Node& e, bool& needs);

// The memory orders of an event, as C++ has them. Those of locks and other objects are what the
// standard promises of them.
struct Orders {
  bool acquire = false;
  bool release = false;
  bool seq_cst = false;
};
Orders orders_of(const Node& e);
inline bool is_fence(const Node& e) { return e.label.kind == OpKind::kFence; }

}  // namespace mazur
