#include "graph/locations.h"

#include <stdexcept>

namespace mazur {

LocationId Locations::find(Space space, ObjectId object, std::uint32_t size, std::uint16_t epoch) {
  const auto next = static_cast<LocationId>(spaces_.size());
  if (space != Space::kMemory) {
    // No object has an address that high.
    const auto [at, fresh] =
        objects_.try_emplace(object | static_cast<std::uint64_t>(space) << 60, next);
    if (fresh) spaces_.push_back(space);
    return at->second;
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

}  // namespace mazur
