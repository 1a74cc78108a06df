#include "graph/locations.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace mazur {
namespace {

// No object has an address that high.
std::uint64_t key(Space space, ObjectId object) {
  return object | static_cast<std::uint64_t>(space) << 60;
}

}  // namespace

LocationId Locations::find(Space space, ObjectId object, std::uint32_t size, std::uint16_t epoch) {
  Recent& recent = recent_[spread(object) >> 58];
  if (recent.location != kNoLocation && recent.object == object && recent.space == space &&
      recent.size == size && recent.epoch == epoch)
    return recent.location;
  const LocationId location = search(space, object, size, epoch);
  if (!is_wide(location)) recent = {space, object, size, epoch, location};
  return location;
}

LocationId Locations::search(Space space, ObjectId object, std::uint32_t size,
                             std::uint16_t epoch) {
  const auto next = static_cast<LocationId>(spaces_.size());
  if (space != Space::kMemory) {
    if (space == Space::kMutex && covered_mutexes_.contains(object)) return wide();
    const auto [at, fresh] = objects_.try_emplace(key(space, object), next);
    if (fresh) spaces_.push_back(space);
    return at->second;
  }
  if (overlaps_covered(object, size)) {
    cover_bytes(object, object + size);
    return wide();
  }
  if (epoch != 0) {
    const auto [at, fresh] = cells_.try_emplace(Cell{object, size, epoch}, next);
    if (fresh) spaces_.push_back(space);
    return at->second;
  }
  const auto above = memory_.lower_bound(object);
  if (above != memory_.end() && above->first == object && above->second.size == size)
    return above->second.location;
  const bool overlaps_above = above != memory_.end() && above->first < object + size;
  const bool overlaps_below =
      above != memory_.begin() && std::prev(above)->first + std::prev(above)->second.size > object;
  if (overlaps_above || overlaps_below)
    throw std::logic_error(
        "--algorithm=graph does not know accesses of different sizes to the same bytes");
  memory_.emplace(object, Range{size, next});
  spaces_.push_back(space);
  return next;
}

LocationId Locations::wide() {
  if (wide_ == kNoLocation) {
    wide_ = static_cast<LocationId>(spaces_.size());
    spaces_.push_back(Space::kMemory);
  }
  return wide_;
}

void Locations::cover(const Access& access) {
  if (access.space == Space::kMemory) {
    cover_bytes(access.object, access.object + access.size);
  } else if (covered_mutexes_.insert(access.object).second) {
    forget_recent();
    outdated_ = outdated_ || objects_.contains(key(Space::kMutex, access.object));
  }
}

bool Locations::overlaps_covered(ObjectId object, std::uint32_t size) const {
  const auto above = covered_.lower_bound(object + size);
  return above != covered_.begin() && std::prev(above)->second > object;
}

bool Locations::has_own_location(ObjectId begin, ObjectId end) const {
  const auto above = memory_.lower_bound(end);
  if (above != memory_.begin()) {
    const auto& [object, range] = *std::prev(above);
    if (object + range.size > begin) return true;
  }
  return std::ranges::any_of(cells_, [&](const auto& cell) {
    return cell.first.object < end && begin < cell.first.object + cell.first.size;
  });
}

void Locations::cover_bytes(ObjectId begin, ObjectId end) {
  auto at = covered_.upper_bound(begin);
  if (at != covered_.begin() && std::prev(at)->second >= begin) --at;
  if (at != covered_.end() && at->first <= begin && at->second >= end) return;
  forget_recent();
  outdated_ = outdated_ || has_own_location(begin, end);
  while (at != covered_.end() && at->first <= end) {
    begin = std::min(begin, at->first);
    end = std::max(end, at->second);
    at = covered_.erase(at);
  }
  covered_.emplace(begin, end);
}

void Locations::start_over() {
  forget_recent();
  memory_.clear();
  cells_.clear();
  objects_.clear();
  spaces_.clear();
  wide_ = kNoLocation;
  outdated_ = false;
}

}  // namespace mazur
