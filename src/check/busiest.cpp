#include "check/busiest.h"

#include <map>
#include <utility>

namespace mazur {

Busiest busiest(const Trace& trace) {
  using Place = std::pair<ThreadId, std::uint64_t>;
  std::map<Place, std::uint64_t> times;
  Busiest found;
  Place where;
  for (const Event& event : trace.events()) {
    const Place place{event.thread, event.label.pc};
    if (++times[place] <= found.times) continue;
    found.times = times[place];
    where = place;
  }
  found.steps = trace.size();
  if (found.times < 100 || found.times * 20 < found.steps) return {};
  std::uint64_t seen = 0;
  for (const Event& event : trace.events()) {
    found.schedule.push_back(event.step());
    if (Place{event.thread, event.label.pc} == where && ++seen * 2 > found.times) break;
  }
  return found;
}

}  // namespace mazur
