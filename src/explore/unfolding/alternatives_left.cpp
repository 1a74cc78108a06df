#include "explore/unfolding/alternatives_left.h"

#include <algorithm>

namespace mazur::unfolding {

std::vector<std::size_t> guess_alternatives_left(const EventStructure& structure,
                                                 const Configuration& configuration,
                                                 const Disabled& disabled,
                                                 const Alternatives& alternatives) {
  Configuration prefix(structure);
  std::vector<std::size_t> left;
  std::vector<ThreadId> threads;
  std::vector<std::uint8_t> forbidden(structure.size());
  for (std::size_t length = 0; length < configuration.size(); ++length) {
    const EventId e = configuration.events()[length];
    threads.clear();
    for (EventId d : disabled.at(length)) forbidden[d] = 1;
    int looks = 200;  // there are spikes with thousands of events
    for_each_in_spike(structure, prefix, e, [&](EventId x) {
      const ThreadId thread = structure[x].thread;
      // One arrival at a barrier is not in conflict with another.
      if (alternatives.is_arrival(x) && alternatives.is_arrival(e)) return true;
      if (--looks == 0) return false;
      if (std::find(threads.begin(), threads.end(), thread) != threads.end()) return true;
      if (prefix.include(x, forbidden)) threads.push_back(thread);
      prefix.truncate(length);
      return true;
    });
    for (EventId d : disabled.at(length)) forbidden[d] = 0;
    left.push_back(threads.size());
    prefix.push(e);
  }
  return left;
}

}  // namespace mazur::unfolding
