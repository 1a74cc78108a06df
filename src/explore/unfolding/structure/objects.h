// The objects that events touch, as small numbers, with the links between memory ranges that
// overlap. Never shrinks: a program has only so many.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/number_table.h"
#include "trace/access.h"
#include "trace/history/ranges.h"

namespace mazur::unfolding {

using ObjectIndex = std::uint32_t;

class Objects {
 public:
  // The number of what an access touches: its exact byte range, for memory.
  ObjectIndex add(const Access& access);
  std::size_t size() const { return records_.size(); }
  Space space(ObjectIndex object) const { return records_[object].space; }
  // The objects whose accesses may conflict with those of this one: itself first.
  std::span<const ObjectIndex> overlapping(ObjectIndex object) const {
    return records_[object].overlapping;
  }

 private:
  struct Record {
    Space space;
    std::uint32_t size;
    ObjectId object;
    std::vector<ObjectIndex> overlapping;
  };

  std::vector<Record> records_;
  NumberTable numbers_{64};  // of records_
  Ranges ranges_;
};

}  // namespace mazur::unfolding
