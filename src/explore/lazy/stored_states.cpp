#include "explore/lazy/stored_states.h"

#include "trace/dependence.h"

namespace mazur {

Event StoredStates::plain(const Event& event) {
  Event e{.thread = event.thread, .choice = 0, .ways = 1, .label = {}};
  static_cast<Operation&>(e.label) = event.label;
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

bool StoredStates::may_depend(const Operations& set, const Event& event) const {
  for (std::uint32_t id = 0; id < operations_.size(); ++id) {
    const Event& other = operations_[id];
    if (other.thread != event.thread && set.contains(id) &&
        mazur::may_depend(other.label, event.label))
      return true;
  }
  return false;
}

}  // namespace mazur
