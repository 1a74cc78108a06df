#include "explore/unfolding/statistics.h"

#include <time.h>

#include <cstdio>

namespace mazur::unfolding {
namespace {

unsigned long long number(std::uint64_t n) { return n; }

std::string trees(const char* what, const TreeDepths& depths) {
  char text[160];
  std::snprintf(text, sizeof text, "%s trees: %zu; events at average depth %.1f, deepest %u\n",
                what, depths.deepest.size(), depths.nodes.average(), depths.nodes.largest());
  return text + ("  events by depth " + depths.nodes.text()) + "\n  trees by greatest depth " +
         depths.trees().text() + "\n";
}

std::string asked(const char* what, const Histogram& distances) {
  char text[160];
  std::snprintf(text, sizeof text, "%s asked %llu times, at average distance %.1f\n", what,
                number(distances.total()), distances.average());
  return text + ("  by distance " + distances.text()) + "\n";
}

}  // namespace

double Statistics::now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

std::string Statistics::text(const EventStructure& structure,
                             const Alternatives& alternatives) const {
  const double total = now() - started_;
  const double adding = times_[static_cast<int>(Part::kAdding)];
  const double forgetting = times_[static_cast<int>(Part::kForgetting)];
  const double searching = times_[static_cast<int>(Part::kSearching)] - forgetting;
  const double other = total - adding - searching - forgetting;
  const auto percent = [total](double part) { return total > 0 ? 100 * part / total : 0; };
  const auto& counts = alternatives.counts();
  const TreeDepths& threads = structure.thread_depths();
  char events[512];
  std::snprintf(
      events, sizeof events,
      "events: %llu added, %zu in memory at the end, looked through %llu times\n"
      "alternatives: %llu sought, %llu found; %llu events of spikes tried, %llu put aside\n",
      number(threads.nodes.total()), structure.size(), number(forgettings_), number(counts.sought),
      number(counts.found), number(counts.tried), number(counts.aside));
  char time[512];
  std::snprintf(time, sizeof time,
                "time: %.3f s (%.0f%%) adding events, %.3f s (%.0f%%) searching alternatives, %.3f "
                "s (%.0f%%) "
                "forgetting, %.3f s (%.0f%%) other (running the program)\n",
                adding, percent(adding), searching, percent(searching), forgetting,
                percent(forgetting), other, percent(other));
  return events + trees("thread", threads) + trees("object", structure.object_depths()) +
         asked("causality", distances_.causality) + asked("conflict", distances_.conflict) + time;
}

}  // namespace mazur::unfolding
