#include "explore/unfolding/structure/objects.h"

#include <algorithm>

#include "base/hash.h"

namespace mazur::unfolding {
namespace {

constexpr int kGranuleShift = 6;

}  // namespace

std::size_t Objects::bucket(Space space, ObjectId object, std::uint32_t size) const {
  return folded(object ^ static_cast<std::uint64_t>(space) << 60 ^
                static_cast<std::uint64_t>(size) << 52) &
         (table_.size() - 1);
}

ObjectIndex Objects::add(const Access& a) {
  const std::size_t mask = table_.size() - 1;
  std::size_t i = bucket(a.space, a.object, a.size);
  for (; table_[i] != kNone; i = (i + 1) & mask) {
    const Record& r = records_[table_[i]];
    if (r.object == a.object && r.size == a.size && r.space == a.space) return table_[i];
  }
  const auto added = static_cast<ObjectIndex>(records_.size());
  records_.push_back({a.space, a.size, a.object, {added}});
  table_[i] = added;
  if (records_.size() * 2 > table_.size()) rehash(table_.size() * 2);
  if (has_ranges(a.space)) link(added);
  return added;
}

void Objects::link(ObjectIndex added) {
  const ObjectId begin = records_[added].object;
  const ObjectId end = begin + records_[added].size;
  std::vector<ObjectIndex> met;
  for (ObjectId g = begin >> kGranuleShift; g <= (end - 1) >> kGranuleShift; ++g) {
    std::vector<ObjectIndex>& here = by_granule_[g];
    for (ObjectIndex o : here)
      if (records_[o].space == records_[added].space && records_[o].object < end &&
          begin < records_[o].object + records_[o].size)
        met.push_back(o);
    here.push_back(added);
  }
  std::sort(met.begin(), met.end());
  met.erase(std::unique(met.begin(), met.end()), met.end());
  for (ObjectIndex o : met) {
    records_[o].overlapping.push_back(added);
    records_[added].overlapping.push_back(o);
  }
}

void Objects::rehash(std::size_t buckets) {
  table_.assign(buckets, kNone);
  for (ObjectIndex o = 0; o < records_.size(); ++o) {
    std::size_t i = bucket(records_[o].space, records_[o].object, records_[o].size);
    while (table_[i] != kNone) i = (i + 1) & (buckets - 1);
    table_[i] = o;
  }
}

}  // namespace mazur::unfolding
