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

}  // namespace mazur
