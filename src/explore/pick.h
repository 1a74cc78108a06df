// "An arbitrary enabled process": which one, where the algorithms leave it open.
#pragma once

#include <optional>

#include "explore/explorer.h"
#include "explore/random_source.h"

namespace mazur {

class Picker {
 public:
  explicit Picker(const ExplorerOptions& options)
      : order_(options.pick), random_(options.seed, /*stream=*/0) {}

  // A step of an enabled thread for which allowed(step) holds, if there is one: of the thread that
  // the order prefers, the first such outcome.
  template <typename Allowed>
  MaybeStep pick(const Trace& trace, const Frontier& frontier, Allowed&& allowed);

 private:
  PickOrder order_;
  RandomSource random_;
};

template <typename Allowed>
MaybeStep Picker::pick(const Trace& trace, const Frontier& frontier, Allowed&& allowed) {
  const ThreadId last =
      trace.empty() ? kNoThread : trace[static_cast<EventIndex>(trace.size() - 1)].thread;
  MaybeStep chosen;
  std::uint32_t seen = 0;
  for (const Pending& p : frontier.threads()) {
    if (!p.enabled) continue;
    Step step{p.thread, 0};
    while (step.choice < p.ways && !allowed(step)) ++step.choice;
    if (step.choice == p.ways) continue;
    ++seen;
    bool better = !chosen;
    switch (order_) {
      case PickOrder::kContinue:
        better = better || p.thread == last;
        break;
      case PickOrder::kLowest:
        break;
      case PickOrder::kHighest:
        better = true;
        break;
      case PickOrder::kRoundRobin:
        better = better || (chosen->thread <= last && p.thread > last && last != kNoThread);
        break;
      case PickOrder::kRandom:
        better = better || random_.below(seen) == 0;
        break;
    }
    if (better) chosen = step;
  }
  return chosen;
}

}  // namespace mazur
