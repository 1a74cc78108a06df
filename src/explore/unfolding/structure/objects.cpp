#include "explore/unfolding/structure/objects.h"

namespace mazur::unfolding {

ObjectIndex Objects::add(const Access& a) {
  const ObjectIndex known =
      numbers_.find(object_hash(a.space, a.object, a.size), [&](ObjectIndex o) {
        const Record& r = records_[o];
        return r.object == a.object && r.size == a.size && r.space == a.space;
      });
  if (known != NumberTable::kNone) return known;
  const auto added = static_cast<ObjectIndex>(records_.size());
  records_.push_back({a.space, a.size, a.object, {added}});
  numbers_.add(added, [this](ObjectIndex o) {
    return object_hash(records_[o].space, records_[o].object, records_[o].size);
  });
  if (!has_ranges(a.space)) return added;
  for (ObjectIndex o : ranges_.add(a, added)) {
    records_[o].overlapping.push_back(added);
    records_[added].overlapping.push_back(o);
  }
  return added;
}

}  // namespace mazur::unfolding
