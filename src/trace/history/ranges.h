// Which ranges of objects (has_ranges() in access.h) overlap. Ranges are known by numbers that the
// caller gives them.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "trace/access.h"

namespace mazur {

class Ranges {
 public:
  using Number = std::uint32_t;

  // Adds the range of an access, which must be a new one. Returns the earlier ranges that overlap
  // it, sorted. The list is valid until the next call.
  const std::vector<Number>& add(const Access& access, Number number);

 private:
  struct Range {
    Access access;
    Number number;
  };
  std::unordered_map<ObjectId, std::vector<Range>> by_granule_;
  std::vector<Number> met_;
};

}  // namespace mazur
