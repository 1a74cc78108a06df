#include "explore/unfolding/alternatives.h"

#include <algorithm>

namespace mazur::unfolding {

bool may_be_minimal(const EventStructure& structure, EventId d, EventId e) {
  const auto same_access = [](const Touch& a, const Touch& b) {
    return a.object == b.object && a.mode == b.mode;
  };
  const std::span<const Touch> touches = structure[d].touched();
  const std::span<const Touch> others = structure[e].touched();
  if (!std::equal(touches.begin(), touches.end(), others.begin(), others.end(), same_access))
    return true;
  const std::span<const EventId> causes = structure.causes(d);
  const std::span<const EventId> other_causes = structure.causes(e);
  return std::equal(causes.begin(), causes.end(), other_causes.begin(), other_causes.end());
}

bool Alternatives::find(std::span<const EventId> disabled, std::size_t k) {
  const std::size_t size = configuration_.size();
  const std::size_t wanted = k == 0 ? disabled.size() : std::min(k, disabled.size());
  wanted_.assign(disabled.rbegin(), disabled.rbegin() + static_cast<std::ptrdiff_t>(wanted));
  forbidden_.resize(structure_.size());
  for (EventId d : disabled) forbidden_[d] = 1;
  const bool found = search(0);
  if (found) {
    const auto events = configuration_.events().subspan(size);
    alternative_.assign(events.begin(), events.end());
  }
  configuration_.truncate(size);
  for (EventId d : disabled) forbidden_[d] = 0;
  return found;
}

bool Alternatives::search(std::size_t from) {
  while (from < wanted_.size() && configuration_.conflicts(wanted_[from])) ++from;
  if (from == wanted_.size()) return true;
  const std::size_t size = configuration_.size();
  bool found = false;
  for_each_in_spike(structure_, configuration_, wanted_[from], [&](EventId e) {
    if (found || configuration_.contains(e)) return;
    // Of the arrivals at a barrier it may take several, so this spike is looked at again.
    found = configuration_.include(e, forbidden_) && search(from);
    if (!found) configuration_.truncate(size);
  });
  return found;
}

}  // namespace mazur::unfolding
