#include "trace/history/ranges.h"

#include <algorithm>

namespace mazur {
namespace {

constexpr int kGranuleShift = 6;  // granules of 64 bytes

}  // namespace

const std::vector<Ranges::Number>& Ranges::add(const Access& access, Number number) {
  met_.clear();
  const ObjectId last = access.object + access.size - 1;
  for (ObjectId g = access.object >> kGranuleShift; g <= last >> kGranuleShift; ++g) {
    std::vector<Range>& here = by_granule_[g];
    for (const Range& range : here)
      if (range.access.space == access.space && overlapping(range.access, access))
        met_.push_back(range.number);
    here.push_back({access, number});
  }
  std::sort(met_.begin(), met_.end());
  met_.erase(std::unique(met_.begin(), met_.end()), met_.end());
  return met_;
}

}  // namespace mazur
