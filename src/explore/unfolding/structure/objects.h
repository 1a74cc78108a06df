// The objects that events touch, as small numbers, with the links between memory ranges that
// overlap. Never shrinks: a program has only so many.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "trace/access.h"

namespace mazur::unfolding {

using ObjectIndex = std::uint32_t;

class Objects {
 public:
  Objects() { rehash(64); }

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
  static constexpr ObjectIndex kNone = 0xffffffff;

  std::size_t bucket(Space space, ObjectId object, std::uint32_t size) const;
  void rehash(std::size_t buckets);
  void link(ObjectIndex added);

  std::vector<Record> records_;
  std::vector<ObjectIndex> table_;                                     // open addressing
  std::unordered_map<ObjectId, std::vector<ObjectIndex>> by_granule_;  // memory, by 64 bytes
};

}  // namespace mazur::unfolding
