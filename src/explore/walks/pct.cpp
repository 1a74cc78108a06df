#include "explore/walks/pct.h"

#include <algorithm>
#include <vector>

#include "base/random_source.h"
#include "explore/walks/numbered.h"

namespace mazur {
namespace {

// The length of an execution is learned from so many.
constexpr std::uint64_t kFirst = 16;

class Pct final : public NumberedWalk {
 public:
  explicit Pct(const ExplorerOptions& options)
      : NumberedWalk("pct", options),
        fixed_steps_(options.pct_steps),
        changes_(options.pct_depth == 0 ? 0 : options.pct_depth - 1),
        random_(options.seed, 0) {
    begin();
  }

  // Hot.
  MaybeStep choose(const Trace& trace, const Frontier& frontier) override {
    const auto step = static_cast<std::uint32_t>(trace.size() + 1);
    for (;;) {
      const Pending* best = nullptr;
      std::uint64_t highest = 0;
      for (const Pending& p : frontier.threads()) {
        if (!p.enabled) continue;
        const std::uint64_t own = priority(p.thread);
        if (own <= highest) continue;
        best = &p;
        highest = own;
      }
      if (best == nullptr) return std::nullopt;
      if (next_change_ < changes_.size() && changes_[next_change_].step <= step) {
        priority(best->thread) = kChanged + changes_[next_change_++].priority;
        continue;
      }
      if (best->op.kind == OpKind::kYield) priority(best->thread) = --lowest_;
      const std::uint32_t choice = best->ways <= 1 ? 0 : random_.below(best->ways);
      return Step{best->thread, static_cast<std::uint16_t>(choice)};
    }
  }

  Needs needs() const override { return {.order = false, .loops_wait = true}; }
  Standing standing() const override { return {.doubt = kSomeOrders}; }

 private:
  // Priorities, from high to low: initial (random, at least kInitial), changed (below kChanged),
  // yielded (below kYielded).
  static constexpr std::uint64_t kInitial = std::uint64_t{1} << 63;
  static constexpr std::uint64_t kChanged = std::uint64_t{1} << 62;
  static constexpr std::uint64_t kYielded = std::uint64_t{1} << 61;
  static constexpr std::uint32_t kMostSteps = std::uint32_t{1} << 30;

  struct Priority {
    std::uint64_t execution = ~std::uint64_t{0};  // valid only in this one
    std::uint64_t value = 0;
  };

  // The i-th change point, drawn anywhere in the execution, gives priority i.
  struct Change {
    std::uint32_t step = 0;  // from 1
    std::uint32_t priority = 0;
  };

  void begin() override {
    random_ = RandomSource(seed(), range().next);
    next_change_ = 0;
    lowest_ = kYielded;
    const std::uint32_t steps = expected_steps();
    std::uint32_t i = 0;
    for (Change& change : changes_) change = {1 + random_.below(steps), ++i};
    std::sort(changes_.begin(), changes_.end(),
              [](const Change& a, const Change& b) { return a.step < b.step; });
  }

  bool still_learns() const override { return fixed_steps_ == 0 && range().next < kFirst; }
  void note(const Trace& trace, NumberedRange& range) const override {
    if (still_learns())
      range.longest = std::max(range.longest, static_cast<std::uint32_t>(trace.size()));
  }

  // All of the first executions may have been short: every eighth of the others expects twice their
  // length, every eighth of these twice as much again, and so on.
  std::uint32_t expected_steps() const {
    if (fixed_steps_ != 0) return fixed_steps_;
    std::uint32_t steps = std::max(range().longest, 1u);
    if (still_learns()) return steps;
    for (std::uint64_t n = range().next; n % 8 == 7 && steps < kMostSteps; n /= 8) steps *= 2;
    return steps;
  }

  // A thread draws its priority when it is first enabled: the order of independent random numbers is a
  // random permutation, whenever threads are created.
  std::uint64_t& priority(ThreadId thread) {
    if (thread >= priorities_.size()) priorities_.resize(thread + std::size_t{1});
    Priority& p = priorities_[thread];
    if (p.execution != range().next) p = {range().next, random_.next() | kInitial};
    return p.value;
  }

  std::uint32_t fixed_steps_;
  std::vector<Change> changes_;  // in the order of their steps
  std::size_t next_change_ = 0;
  std::uint64_t lowest_ = kYielded;
  std::vector<Priority> priorities_;
  RandomSource random_;
};

}  // namespace

std::unique_ptr<Explorer> make_pct(const ExplorerOptions& options) {
  return std::make_unique<Pct>(options);
}

}  // namespace mazur
