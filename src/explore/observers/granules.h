// Numbers for granules of memory, in the order they come up.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "trace/label.h"

namespace mazur {

class Granules {
 public:
  // The number of the granule. A new one gets the next.
  std::uint32_t number(ObjectId granule) {
    Recent& r = recent_[granule % recent_.size()];
    if (r.granule != granule) {
      const auto next = static_cast<std::uint32_t>(numbers_.size());
      r = {granule, numbers_.try_emplace(granule, next).first->second};
    }
    return r.number;
  }
  // The same for one that has come up.
  std::uint32_t known(ObjectId granule) const {
    const Recent& r = recent_[granule % recent_.size()];
    return r.granule == granule ? r.number : numbers_.at(granule);
  }

 private:
  struct Recent {
    ObjectId granule = ~ObjectId{0};
    std::uint32_t number = 0;
  };
  std::unordered_map<ObjectId, std::uint32_t> numbers_;
  std::array<Recent, 64> recent_;  // by granule
};

}  // namespace mazur
