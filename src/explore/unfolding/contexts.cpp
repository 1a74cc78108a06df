#include "explore/unfolding/contexts.h"

#include <algorithm>

namespace mazur::unfolding {

std::size_t switches(const EventStructure& structure, std::span<const EventId> events) {
  std::size_t n = 0;
  for (std::size_t i = 1; i < events.size(); ++i)
    n += structure[events[i]].thread != structure[events[i - 1]].thread;
  return n;
}

void switch_rarely(const EventStructure& structure, ThreadId running,
                   std::vector<EventId>& events) {
  const auto waits_for = [&](EventId e, EventId x) {
    const std::span<const EventId> causes = structure.causes(e);
    return structure[e].program_predecessor == x ||
           std::find(causes.begin(), causes.end(), x) != causes.end();
  };
  for (auto next = events.begin(); next != events.end(); ++next) {
    // The first one of the thread can come next if it waits for none before it in the list. If the
    // thread has none, the first of all can.
    const auto own =
        std::find_if(next, events.end(), [&](EventId e) { return structure[e].thread == running; });
    const bool goes_on = own != events.end() &&
                         std::none_of(next, own, [&](EventId x) { return waits_for(*own, x); });
    if (goes_on) std::rotate(next, own, own + 1);
    running = structure[*next].thread;
  }
}

std::size_t switches_after(const EventStructure& structure, std::span<const EventId> before,
                           std::vector<EventId>& events) {
  const ThreadId running = before.empty() ? kNoThread : structure[before.back()].thread;
  switch_rarely(structure, running, events);
  const bool between = running != kNoThread && structure[events.front()].thread != running;
  return switches(structure, before) + switches(structure, events) + (between ? 1 : 0);
}

}  // namespace mazur::unfolding
