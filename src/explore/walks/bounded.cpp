#include "explore/walks/bounded.h"

#include <algorithm>
#include <vector>

#include "explore/walks/class_table.h"
#include "explore/walks/switch_cost.h"

namespace mazur {
namespace {

class Bounded final : public Explorer {
 public:
  Bounded(const ExplorerOptions& options, Repeats repeats)
      : bound_(options.schedule_bound), most_(options.most), repeats_(repeats) {}

  MaybeStep choose(const Trace& trace, const Frontier& frontier) override {
    blocked_ = false;
    if (trace.size() == depths_.size() && !open(trace, frontier)) return std::nullopt;
    return steps_[depths_.back().current].step;
  }

  bool plan(const Trace& trace, const Frontier&, End) override {
    // The last state may have been cut off by another bound before its first step.
    if (depths_.size() > trace.size()) close();
    while (!depths_.empty() && ++depths_.back().current == steps_.size()) close();
    return !depths_.empty();
  }

  std::size_t keep() const override { return depths_.empty() ? 0 : depths_.size() - 1; }
  bool blocked() const override { return blocked_; }
  Needs needs() const override { return {.order = repeats_ == Repeats::kGivenUp}; }
  Standing standing() const override { return {.reached = cut_ ? bound_ : ScheduleBound::kNone}; }

  // What is given up because it has been explored makes the tree much smaller than it looks.
  double progress() const override {
    if (repeats_ == Repeats::kGivenUp) return 0;
    double done = 0;
    double part = 1;
    for (std::size_t d = 0; d < depths_.size(); ++d) {
      const std::size_t end = d + 1 < depths_.size() ? depths_[d + 1].first : steps_.size();
      part /= static_cast<double>(end - depths_[d].first);
      done += part * static_cast<double>(depths_[d].current - depths_[d].first);
    }
    return done;
  }

 private:
  struct Candidate {
    Step step;
    std::uint32_t cost;  // of the prefix with it
  };
  // The steps to explore after a prefix are steps_[first], ..., up to the next depth's first.
  struct Depth {
    std::size_t first;
    std::size_t current;  // under way
    PrefixClass name;     // of the prefix
  };

  // False: the execution ends here.
  bool open(const Trace& trace, const Frontier& frontier) {
    const std::uint32_t cost = depths_.empty() ? 0 : steps_[depths_.back().current].cost;
    PrefixClass name;
    if (repeats_ == Repeats::kGivenUp) {
      if (!depths_.empty()) name = depths_.back().name.with_last_of(trace);
      blocked_ = redundant(trace, frontier, name, cost);
      if (blocked_) return false;
    }
    const std::size_t first = steps_.size();
    for (const Pending& p : frontier.threads()) {
      if (!p.enabled) continue;
      const std::uint32_t with = cost + cost_of(trace, frontier, p.thread);
      if (with > most_) {
        cut_ = true;
        continue;
      }
      for (std::uint16_t choice = 0; choice < p.ways; ++choice)
        steps_.push_back({{p.thread, choice}, with});
    }
    if (steps_.size() == first) return false;  // nothing is enabled: going on costs nothing
    // The cheapest first, so that what is found first needs few switches.
    std::stable_sort(steps_.begin() + static_cast<std::ptrdiff_t>(first), steps_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
    depths_.push_back({first, first, name});
    return true;
  }

  void close() {
    steps_.resize(depths_.back().first);
    depths_.pop_back();
  }

  std::uint32_t cost_of(const Trace& trace, const Frontier& frontier, ThreadId thread) const {
    switch (bound_) {
      case ScheduleBound::kNone:
      case ScheduleBound::kContexts:
        return 0;
      case ScheduleBound::kPreemptions:
        return preemptions(trace, frontier, thread);
      case ScheduleBound::kDelays:
        return delays(trace, frontier, thread);
    }
    return 0;
  }

  // Whether all that can follow the prefix within the bound has been explored after another one.
  bool redundant(const Trace& trace, const Frontier& frontier, const PrefixClass& name,
                 std::uint32_t cost) {
    // At the end it does not matter how it was reached.
    if (bound_ == ScheduleBound::kNone || !frontier.any_enabled()) return classes_.seen(name, ~0u);
    if (bound_ == ScheduleBound::kPreemptions) {
      if (cost > 0 && classes_.contains(name, cost - 1)) return true;
      classes_.seen(name, cost);
    }
    const std::uint64_t last = trace.empty() ? kNoThread : trace.events().back().thread;
    return classes_.seen(name.with(last), cost);
  }

  const ScheduleBound bound_;
  const std::uint32_t most_;
  const Repeats repeats_;
  std::vector<Candidate> steps_;
  std::vector<Depth> depths_;
  ClassTable classes_;
  bool blocked_ = false;
  bool cut_ = false;  // a step was left out because of the bound
};

}  // namespace

std::unique_ptr<Explorer> make_bounded(const ExplorerOptions& options, Repeats repeats) {
  return std::make_unique<Bounded>(options, repeats);
}

}  // namespace mazur
