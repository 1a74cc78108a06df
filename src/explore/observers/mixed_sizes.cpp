#include "explore/observers/mixed_sizes.h"

#include <algorithm>

#include "trace/access.h"

namespace mazur {

void MixedSizes::note_all(const Label& label) {
  for (const Access& a : accesses(label))
    if (a.space == Space::kMemory && a.mode == mode::kWrite && !is_recent(a.object, a.size))
      note_range(a.object, a.size);
}

void MixedSizes::note_range(ObjectId object, std::uint32_t size) {
  const Range own{object, object + size};
  recent(object) = own;
  Range all = own;
  bool mixed = false;
  for (ObjectId g = own.begin >> kGranuleShift; g <= (own.end - 1) >> kGranuleShift; ++g) {
    std::vector<Range>& here = known_[g];
    for (const Range& r : here) {
      if (r.begin == own.begin && r.end == own.end) return;  // known
      if (r.begin >= own.end || own.begin >= r.end) continue;
      all = {std::min(all.begin, r.begin), std::max(all.end, r.end)};
      mixed = true;
    }
    here.push_back(own);
  }
  if (mixed) found_.push_back(all);
}

}  // namespace mazur
