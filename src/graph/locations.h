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
  // Throws std::logic_error if the bytes overlap those of another location without being equal:
  // execution graphs have no reads from several stores.
  LocationId find(Space space, ObjectId object, std::uint32_t size);
  Space space(LocationId x) const { return spaces_[x]; }

 private:
  struct Range {
    std::uint32_t size;
    LocationId location;
  };
  std::map<ObjectId, Range> memory_;  // by address
  std::unordered_map<std::uint64_t, LocationId> objects_;
  std::vector<Space> spaces_;
};

}  // namespace mazur
