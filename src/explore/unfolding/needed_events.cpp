#include "explore/unfolding/needed_events.h"

#include "explore/unfolding/alternatives.h"

namespace mazur::unfolding {

std::vector<bool> needed_events(const EventStructure& structure, Configuration& configuration,
                                const Disabled& disabled) {
  const std::vector<EventId> events(configuration.events().begin(), configuration.events().end());
  Configuration& prefix = configuration;
  prefix.truncate(0);
  std::vector<bool> marked(structure.size());
  std::vector<bool> first(structure.size());
  std::vector<std::uint8_t> forbidden(structure.size());
  const auto mark_spike = [&](EventId d) {
    marked[d] = true;
    const std::size_t size = prefix.size();
    const auto mark = [&](EventId e) {
      if (marked[e]) return true;
      if (prefix.include(e, forbidden))
        for (EventId x : prefix.events().subspan(size)) marked[x] = true;
      prefix.truncate(size);
      return true;
    };
    for_each_in_spike(structure, prefix, d, mark);
  };
  for (std::size_t length = 0; length <= events.size(); ++length) {
    for (EventId d : disabled.at(length)) forbidden[d] = 1;
    for (EventId d : disabled.at(length))
      if (!first[d]) {
        first[d] = true;
        mark_spike(d);
      }
    if (length == events.size()) break;
    mark_spike(events[length]);
    prefix.push(events[length]);
  }
  return marked;
}

}  // namespace mazur::unfolding
