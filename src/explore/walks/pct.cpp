#include "explore/walks/pct.h"

#include <algorithm>
#include <vector>

#include "base/random_source.h"

namespace mazur {
namespace {

class Pct final : public Explorer {
 public:
  explicit Pct(const ExplorerOptions& options)
      : seed_(options.seed),
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
      for (const Pending& p : frontier.threads())
        if (p.enabled && (best == nullptr || priority(p.thread) > priority(best->thread)))
          best = &p;
      if (best == nullptr) return std::nullopt;
      if (next_change_ < changes_.size() && changes_[next_change_].step <= step) {
        set_priority(best->thread, kChanged + changes_[next_change_++].priority);
        continue;
      }
      if (best->op.kind == OpKind::kYield) set_priority(best->thread, --lowest_);
      const std::uint32_t choice = best->ways <= 1 ? 0 : random_.below(best->ways);
      return Step{best->thread, static_cast<std::uint16_t>(choice)};
    }
  }

  bool plan(const Trace& trace, const Frontier&, End) override {
    longest_ = std::max(longest_, static_cast<std::uint32_t>(trace.size()));
    ++execution_;
    begin();
    return true;
  }

  std::size_t keep() const override { return 0; }
  Needs needs() const override { return {.order = false, .loops_wait = true}; }
  Standing standing() const override { return {.doubt = kSomeOrders}; }

 private:
  // Priorities, from high to low: initial (random, at least kInitial), changed (below kChanged),
  // yielded (below kYielded).
  static constexpr std::uint64_t kInitial = std::uint64_t{1} << 63;
  static constexpr std::uint64_t kChanged = std::uint64_t{1} << 62;
  static constexpr std::uint64_t kYielded = std::uint64_t{1} << 61;

  struct Priority {
    std::uint64_t execution = ~std::uint64_t{0};  // valid only in this one
    std::uint64_t value = 0;
  };

  // The i-th change point, drawn anywhere in the execution, gives priority i.
  struct Change {
    std::uint32_t step = 0;  // from 1
    std::uint32_t priority = 0;
  };

  void begin() {
    random_ = RandomSource(seed_, execution_);
    next_change_ = 0;
    lowest_ = kYielded;
    const std::uint32_t steps = std::max(fixed_steps_ != 0 ? fixed_steps_ : longest_, 1u);
    std::uint32_t i = 0;
    for (Change& change : changes_) change = {1 + random_.below(steps), ++i};
    std::sort(changes_.begin(), changes_.end(),
              [](const Change& a, const Change& b) { return a.step < b.step; });
  }

  // A thread draws its priority when it is first seen: the order of independent random numbers is a
  // random permutation, whenever threads are created.
  std::uint64_t priority(ThreadId thread) {
    if (thread >= priorities_.size()) priorities_.resize(thread + std::size_t{1});
    Priority& p = priorities_[thread];
    if (p.execution != execution_) p = {execution_, random_.next() | kInitial};
    return p.value;
  }

  void set_priority(ThreadId thread, std::uint64_t value) {
    priority(thread);  // draws it, if nobody has compared it yet: a lone thread's
    priorities_[thread].value = value;
  }

  std::uint64_t seed_;
  std::uint32_t fixed_steps_;
  std::uint32_t longest_ = 0;
  std::uint64_t execution_ = 0;
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
