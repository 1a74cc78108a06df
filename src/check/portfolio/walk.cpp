#include "check/portfolio/walk.h"

#include <utility>

#include "check/exploration.h"

namespace mazur {
namespace {

// Tells what a walk of the portfolio finds; its tallies are its own affair.
class WalkWatcher final : public Watcher {
 public:
  explicit WalkWatcher(Watcher& watcher) : watcher_(watcher) {}
  void failed(const Trace& trace, const Frontier& frontier, const Failure& failure) override {
    watcher_.failed(trace, frontier, failure);
  }
  void ended(const Trace& trace, const Tally& tally, End end) override {
    watcher_.ended(trace, tally, end);
  }
  bool stop() override { return watcher_.stop(); }

 private:
  Watcher& watcher_;
};

class ExplorationWalk final : public Walk {
 public:
  ExplorationWalk(Machine& machine, std::unique_ptr<Explorer> explorer, bool spurious_wakeups,
                  const Bounds& bounds, Watcher& watcher)
      : machine_(machine),
        spurious_wakeups_(spurious_wakeups),
        explorer_(std::move(explorer)),
        bounds_(own_bounds(bounds)),
        watcher_(watcher),
        exploration_(machine, *explorer_, bounds_, watcher_, Exploration::Alone::kNo) {}
  const Outcome& run(std::uint64_t executions, std::uint64_t max_steps) override {
    bounds_.max_executions += executions;
    bounds_.max_steps = max_steps;
    if (!spurious_wakeups_) return exploration_.run();
    machine_.try_spurious_wakeups(true);
    const Outcome& outcome = exploration_.run();
    // After an error its schedule is run again.
    if (outcome.verdict != Verdict::kBug || bounds_.keep_going)
      machine_.try_spurious_wakeups(false);
    return outcome;
  }
  bool ended() const override { return exploration_.ended(); }

 private:
  // Loops are not cut: an error behind the bound is one, too. The time limit is heard all the same
  // (base/stop.h).
  static Bounds own_bounds(Bounds bounds) {
    bounds.portfolio = false;
    bounds.unroll = bounds.loop_count = 0;
    bounds.time_limit = 0;
    bounds.max_executions = 0;
    return bounds;
  }

  Machine& machine_;
  const bool spurious_wakeups_;
  std::unique_ptr<Explorer> explorer_;
  Bounds bounds_;
  WalkWatcher watcher_;
  Exploration exploration_;
};

}  // namespace

std::unique_ptr<Walk> make_walk(Machine& machine, std::unique_ptr<Explorer> explorer,
                                bool spurious_wakeups, const Bounds& bounds, Watcher& watcher) {
  return std::make_unique<ExplorationWalk>(machine, std::move(explorer), spurious_wakeups, bounds,
                                           watcher);
}

}  // namespace mazur
