#include "explore/unfolding/forgetting.h"

#include <algorithm>

#include "explore/unfolding/needed_events.h"

namespace mazur::unfolding {

void Forgetting::forget(std::vector<EventId>& add) {
  const Statistics::Timer timer(statistics_, Statistics::Part::kForgetting);
  statistics_.count_forgetting();
  alternatives_.put_back();
  configuration_.measure(nullptr);
  std::vector<bool> needed = needed_events(structure_, configuration_, disabled_);
  for (EventId e : add) needed[e] = true;
  const std::vector<EventId> names = structure_.retain(needed);
  configuration_.rename(names);
  extensions_.rename(names);
  disabled_.rename(names);
  alternatives_.rename(names);
  for (EventId& e : add) e = names[e];
  configuration_.measure(statistics_.distances());
  // Three times what was kept; where that is much, less.
  const std::size_t size = structure_.size();
  enough_ = std::max(kFewEvents, size + std::min(2 * size, size / 2 + kManyEvents));
}

}  // namespace mazur::unfolding
