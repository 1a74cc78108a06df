// "An arbitrary enabled process": which one, where the algorithms leave it open.
#pragma once

#include <optional>

#include "base/random_source.h"
#include "explore/explorer.h"

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

// Threads are asked in the order of preference, as few as possible: allowed() can be costly.
template <typename Allowed>
MaybeStep Picker::pick(const Trace& trace, const Frontier& frontier, Allowed&& allowed) {
  const auto step_of = [&](const Pending& p) -> MaybeStep {
    for (std::uint16_t c = 0; p.enabled && c < p.ways; ++c)
      if (const Step step{p.thread, c}; allowed(step)) return step;
    return std::nullopt;
  };
  const ThreadId last =
      trace.empty() ? kNoThread : trace[static_cast<EventIndex>(trace.size() - 1)].thread;
  const auto& threads = frontier.threads();
  if (order_ == PickOrder::kHighest) {
    for (std::size_t i = threads.size(); i-- > 0;)
      if (const MaybeStep step = step_of(threads[i])) return step;
    return std::nullopt;
  }
  if (order_ == PickOrder::kContinue && last != kNoThread)
    if (const Pending* p = frontier.find(last); p != nullptr)
      if (const MaybeStep step = step_of(*p)) return step;
  if (order_ == PickOrder::kRoundRobin && last != kNoThread)
    for (const Pending& p : threads)
      if (p.thread > last)
        if (const MaybeStep step = step_of(p)) return step;
  MaybeStep chosen;
  std::uint32_t seen = 0;
  for (const Pending& p : threads) {
    const MaybeStep step = step_of(p);
    if (!step) continue;
    if (order_ != PickOrder::kRandom) return step;
    ++seen;
    if (!chosen || random_.below(seen) == 0) chosen = step;
  }
  return chosen;
}

}  // namespace mazur
