#include "check/unrolling.h"

namespace mazur {

void Unrolling::run(const Pending& next) {
  if (!counts(next.op.kind)) return;
  if (next.thread >= of_thread_.size()) of_thread_.resize(next.thread + std::size_t{1});
  auto& places = of_thread_[next.thread];
  const std::uint64_t place = place_of(next);
  for (std::size_t i = places.size(); i > 0; --i) {
    if (places[i - 1].place != place) continue;
    places.resize(i);
    ++places.back().count;
    return;
  }
  places.push_back({place, 1});
}

bool Unrolling::exceeded(const Pending& next) const {
  if (!counts(next.op.kind) || next.thread >= of_thread_.size()) return false;
  for (const Visits& visits : of_thread_[next.thread])
    if (visits.place == place_of(next)) return visits.count >= most_;
  return false;
}

const Frontier& Unrolling::limit(const Frontier& frontier, bool& cut) {
  cut = false;
  limited_ = frontier;
  for (Pending& p : limited_.mutable_threads()) {
    if (!exceeded(p)) continue;
    cut = true;
    p.enabled = false;
    p.ways = 1;
    p.op = Operation{.kind = OpKind::kNever};
  }
  return limited_;
}

}  // namespace mazur
