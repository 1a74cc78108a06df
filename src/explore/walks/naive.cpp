#include "explore/walks/naive.h"

#include "explore/walks/depth_first.h"

namespace mazur {
namespace {

class Naive final : public Explorer {
 public:
  MaybeStep choose(const Trace& trace, const Frontier& frontier) override {
    if (trace.size() == search_.depth() && !open(frontier)) return std::nullopt;
    return search_.under_way();
  }

  bool plan(const Trace&, const Frontier&, End) override { return search_.next(); }
  std::size_t keep() const override { return search_.keep(); }
  Needs needs() const override { return {.order = false}; }
  double progress() const override { return search_.progress(); }

 private:
  // False: nothing is enabled.
  bool open(const Frontier& frontier) {
    if (!frontier.any_enabled()) return false;
    search_.open();
    for (const Pending& p : frontier.threads())
      for (std::uint16_t choice = 0; p.enabled && choice < p.ways; ++choice)
        search_.add({p.thread, choice});
    return true;
  }

  DepthFirst<Step> search_;
};

}  // namespace

std::unique_ptr<Explorer> make_naive(const ExplorerOptions&) { return std::make_unique<Naive>(); }

}  // namespace mazur
