#include "explore/walks/crowded.h"

#include <utility>

namespace mazur {
namespace {

class Crowded final : public Explorer {
 public:
  explicit Crowded(std::unique_ptr<Explorer> walk) : walk_(std::move(walk)) {}

  MaybeStep choose(const Trace& trace, const Frontier& frontier) override {
    for (const Pending& p : frontier.threads())
      if (p.enabled && p.op.kind == OpKind::kCreate) return Step{p.thread, 0};
    return walk_->choose(trace, frontier);
  }
  bool plan(const Trace& trace, const Frontier& frontier, End end) override {
    return walk_->plan(trace, frontier, end);
  }
  std::size_t keep() const override { return 0; }
  Needs needs() const override { return walk_->needs(); }
  Standing standing() const override { return walk_->standing(); }

 private:
  std::unique_ptr<Explorer> walk_;
};

}  // namespace

std::unique_ptr<Explorer> make_crowded(std::unique_ptr<Explorer> walk) {
  return std::make_unique<Crowded>(std::move(walk));
}

}  // namespace mazur
