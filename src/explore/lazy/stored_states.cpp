#include "explore/lazy/stored_states.h"

#include "trace/atomic_block/block.h"
#include "trace/dependence.h"

namespace mazur {
namespace {

// Whether this is a block that does the same wherever it is run.
bool is_fixed_block(const Label& label) {
  if (label.kind != OpKind::kAtomicBlock || is_unknown_block(label)) return false;
  for (bool reads : block_table.reads(label))
    if (reads) return false;
  return true;
}

}  // namespace

Event StoredStates::plain(const Event& event) {
  Event e{.thread = event.thread, .choice = 0, .ways = 1, .label = {}};
  static_cast<Operation&>(e.label) = event.label;
  const OpKind kind = event.label.kind;
  // What a message is, what a receive accepts and what begins or ends is known before they run.
  if (kind != OpKind::kSend && kind != OpKind::kReceive && !is_life(kind) &&
      !is_fixed_block(event.label))
    e.label.value = 0;
  return e;
}

std::uint32_t StoredStates::number(const Pending& pending) {
  Event e{.thread = pending.thread, .choice = 0, .ways = 1, .label = {}};
  static_cast<Operation&>(e.label) = pending.op;
  return number(e);
}

const Operations* StoredStates::find(const StateName& state) const {
  const auto at = states_.find(state);
  return at == states_.end() ? nullptr : &at->second;
}

void StoredStates::store(const StateName& state, const Operations& following) {
  states_.emplace(state, following);
}

bool StoredStates::may_depend(const Operations& set, const Event& of) const {
  const Event event = of.label.kind == OpKind::kAtomicBlock ? plain(of) : of;
  for (std::uint32_t id = 0; id < operations_.size(); ++id) {
    const Event& other = operations_[id];
    if (other.thread != event.thread && set.contains(id) &&
        mazur::may_depend(other.label, event.label))
      return true;
  }
  return false;
}

}  // namespace mazur
