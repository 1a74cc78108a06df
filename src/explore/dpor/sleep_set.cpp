#include "explore/dpor/sleep_set.h"

#include "trace/dependence.h"

namespace mazur {

void SleepSets::push_after(const Event& p) {
  const std::size_t end = sleepers_.size();
  for (std::size_t i = ends_.size() < 2 ? 0 : ends_[ends_.size() - 2]; i < end; ++i) {
    const Event& q = steps_[sleepers_[i]];
    if (q.thread != p.thread && !dependent_next(p, q)) sleepers_.push_back(sleepers_[i]);
  }
  ends_.push_back(static_cast<std::uint32_t>(sleepers_.size()));
}

bool SleepSets::has_weak_initial_of(Reversal& v) const {
  const std::span<const StepId> sleepers = at(v.first());
  for (std::size_t i = 0; i < sleepers.size(); ++i) {
    const Event& p = steps_[sleepers[i]];
    const Reversal::Match match = v.match(p);
    if (match == Reversal::Match::kConflict) continue;
    if (match == Reversal::Match::kInitial && v.try_next_choice(p)) {
      i = static_cast<std::size_t>(-1);  // from the start, with the other outcome
      continue;
    }
    v.take(p, match);
    return true;
  }
  return false;
}

}  // namespace mazur
