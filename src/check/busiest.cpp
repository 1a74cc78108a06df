#include "check/busiest.h"

#include <algorithm>
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
  constexpr std::size_t kEnough = 20'000;  // it is run again: not for long
  std::size_t size = std::min(trace.size(), kEnough);
  const auto is_there = [&](const Event& e) { return Place{e.thread, e.label.pc} == where; };
  while (size > 0 && !is_there(trace.events()[size - 1])) --size;
  if (size == 0) return {};
  for (const Event& event : trace.events().first(size)) found.schedule.push_back(event.step());
  return found;
}

}  // namespace mazur
