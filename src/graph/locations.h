// The names of what events of an execution graph access: memory and synchronisation objects, as
// small numbers. They stay the same for all graphs of a program.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "graph/node.h"
#include "trace/access.h"

namespace mazur {

class Locations {
 public:
  // `epoch`: of a part of memory, how often it has begun anew (Label::epoch). If the machine does
  // not know, throws std::logic_error if the bytes overlap those of another location without being
  // equal: execution graphs have no reads from several stores. A machine that knows epochs sees to
  // that itself.
  LocationId find(Space space, ObjectId object, std::uint32_t size, std::uint16_t epoch = 0);
  Space space(LocationId x) const { return spaces_[x]; }

 private:
  struct Range {
    std::uint32_t size;
    LocationId location;
  };
  struct Cell {
    ObjectId object;
    std::uint32_t size;
    std::uint32_t epoch;
    friend bool operator==(const Cell&, const Cell&) = default;
  };
  struct HashCell {
    std::size_t operator()(const Cell& c) const {
      return static_cast<std::size_t>(
          mixed(object_hash(Space::kMemory, c.object, c.size), c.epoch));
    }
  };
  std::map<ObjectId, Range> memory_;  // by address
  std::unordered_map<Cell, LocationId, HashCell> cells_;
  std::unordered_map<std::uint64_t, LocationId> objects_;
  std::vector<Space> spaces_;
};

}  // namespace mazur
