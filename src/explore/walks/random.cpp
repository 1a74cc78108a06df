#include "explore/walks/random.h"

#include "base/random_source.h"
#include "explore/walks/numbered.h"

namespace mazur {
namespace {

class RandomWalk final : public NumberedWalk {
 public:
  explicit RandomWalk(const ExplorerOptions& options)
      : NumberedWalk("random", options), random_(options.seed, 0) {}

  // Hot.
  MaybeStep choose(const Trace&, const Frontier& frontier) override {
    const auto threads = frontier.threads();
    std::uint32_t enabled = 0;
    for (const Pending& p : threads) enabled += p.enabled;
    if (enabled == 0) return std::nullopt;
    std::uint32_t nth = enabled == 1 ? 0 : random_.below(enabled);
    const Pending* p = threads.data();
    for (;; ++p)
      if (p->enabled && nth-- == 0) break;
    const std::uint32_t choice = p->ways <= 1 ? 0 : random_.below(p->ways);
    return Step{p->thread, static_cast<std::uint16_t>(choice)};
  }

  Needs needs() const override { return {.order = false, .loops_wait = true}; }
  Standing standing() const override { return {.doubt = kSomeOrders}; }

 private:
  void begin() override { random_ = RandomSource(seed(), range().next); }

  RandomSource random_;
};

}  // namespace

std::unique_ptr<Explorer> make_random(const ExplorerOptions& options) {
  return std::make_unique<RandomWalk>(options);
}

}  // namespace mazur
