#include "explore/walks/naive.h"

#include <vector>

namespace mazur {
namespace {

class Naive final : public Explorer {
 public:
  MaybeStep choose(const Trace& trace, const Frontier& frontier) override {
    if (trace.size() == depths_.size()) open(frontier);
    const Depth& depth = depths_.back();
    if (depth.first == steps_.size()) {  // nothing is enabled
      depths_.pop_back();
      return std::nullopt;
    }
    return steps_[depth.current];
  }

  bool plan(const Trace&, const Frontier&, End) override {
    while (!depths_.empty() && ++depths_.back().current == steps_.size()) {
      steps_.resize(depths_.back().first);
      depths_.pop_back();
    }
    return !depths_.empty();
  }

  std::size_t keep() const override { return depths_.empty() ? 0 : depths_.size() - 1; }
  Needs needs() const override { return {.order = false}; }

  double progress() const override {
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
  // The steps that are possible at one depth are steps_[first], ..., up to the next depth's first.
  struct Depth {
    std::size_t first;
    std::size_t current;  // under way
  };

  void open(const Frontier& frontier) {
    depths_.push_back({steps_.size(), steps_.size()});
    for (const Pending& p : frontier.threads())
      for (std::uint16_t choice = 0; p.enabled && choice < p.ways; ++choice)
        steps_.push_back({p.thread, choice});
  }

  std::vector<Step> steps_;
  std::vector<Depth> depths_;
};

}  // namespace

std::unique_ptr<Explorer> make_naive(const ExplorerOptions&) { return std::make_unique<Naive>(); }

}  // namespace mazur
