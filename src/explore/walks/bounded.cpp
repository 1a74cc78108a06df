#include "explore/walks/bounded.h"

#include <algorithm>
#include <span>
#include <vector>

#include "explore/walks/class_table.h"
#include "explore/walks/depth_first.h"
#include "explore/walks/switch_cost.h"

namespace mazur {
namespace {

class Bounded final : public Explorer {
 public:
  Bounded(const ExplorerOptions& options, Repeats repeats)
      : bound_(options.schedule_bound), most_(options.most), repeats_(repeats) {}

  MaybeStep choose(const Trace& trace, const Frontier& frontier) override {
    blocked_ = false;
    if (trace.size() == search_.depth() && !open(trace, frontier)) return std::nullopt;
    return search_.under_way().step;
  }

  bool plan(const Trace& trace, const Frontier&, End) override {
    // The last state may have been cut off by another bound before its first step.
    if (search_.depth() > trace.size()) search_.close();
    return search_.next();
  }

  std::size_t keep() const override { return search_.keep(); }
  bool blocked() const override { return blocked_; }
  Needs needs() const override { return {.order = repeats_ == Repeats::kGivenUp}; }
  Standing standing() const override { return {.reached = cut_ ? bound_ : ScheduleBound::kNone}; }

  // What is given up because it has been explored makes the tree much smaller than it looks.
  double progress() const override {
    return repeats_ == Repeats::kGivenUp ? 0 : search_.progress();
  }

 private:
  struct Candidate {
    Step step;
    std::uint32_t cost;  // of the prefix with it
  };

  // False: the execution ends here.
  bool open(const Trace& trace, const Frontier& frontier) {
    const std::size_t depth = search_.depth();
    const std::uint32_t cost = depth == 0 ? 0 : search_.under_way().cost;
    if (repeats_ == Repeats::kGivenUp) {
      names_.resize(depth);
      names_.push_back(depth == 0 ? PrefixClass{} : names_.back().with_last_of(trace));
      blocked_ = redundant(trace, frontier, names_.back(), cost);
      if (blocked_) return false;
    }
    search_.open();
    for (const Pending& p : frontier.threads()) {
      if (!p.enabled) continue;
      const std::uint32_t with = cost + cost_of(trace, frontier, p.thread);
      if (with > most_) {
        cut_ = true;
        continue;
      }
      for (std::uint16_t choice = 0; choice < p.ways; ++choice)
        search_.add({{p.thread, choice}, with});
    }
    const std::span<Candidate> candidates = search_.ways();
    if (candidates.empty()) {  // nothing is enabled: otherwise one way on costs nothing
      search_.close();
      return false;
    }
    // The cheapest first, so that what is found first needs few switches.
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
    return true;
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
  DepthFirst<Candidate> search_;
  std::vector<PrefixClass> names_;  // of the prefixes, with Repeats::kGivenUp
  ClassTable classes_;
  bool blocked_ = false;
  bool cut_ = false;  // a step was left out because of the bound
};

}  // namespace

std::unique_ptr<Explorer> make_bounded(const ExplorerOptions& options, Repeats repeats) {
  return std::make_unique<Bounded>(options, repeats);
}

}  // namespace mazur
