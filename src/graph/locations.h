// The names of what events of an execution graph access: memory and synchronisation objects, as
// small numbers. They stay the same for all graphs of a program, until they are outdated.
#pragma once

#include <array>
#include <map>
#include <unordered_map>
#include <unordered_set>
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

  // The wide location (wide.h): all that is covered. A location that overlaps covered bytes is covered
  // from then on.
  LocationId wide();
  // Whether there are atomic blocks, as far as is known.
  bool has_blocks() const {
    return wide_ != kNoLocation || !covered_.empty() || !covered_mutexes_.empty();
  }
  bool is_wide(LocationId x) const { return x == wide_ && x != kNoLocation; }
  // What an atomic block has touched is covered.
  void cover(const Access& access);
  // Whether something was covered that had been a location of its own, or arrivals at barriers have
  // turned out to have an order: then graphs mean nothing any more, and all has to begin again with
  // other names.
  bool outdated() const { return outdated_; }
  // Whether arrivals at barriers access nothing (barriers.h), which is for a search to say that can
  // begin again. order_arrivals(): they have turned out to have an order.
  void let_arrivals_commute(bool commute) { arrivals_commute_ = commute; }
  bool arrivals_commute() const { return arrivals_commute_; }
  void order_arrivals() {
    outdated_ = outdated_ || arrivals_commute_;
    arrivals_commute_ = false;
  }
  // Forgets the names, but not what is covered, and whether arrivals have an order.
  void start_over();

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
  // What was found last, by a hash of its address. Nothing of the wide location is among it.
  struct Recent {
    Space space = Space::kMemory;
    ObjectId object = 0;
    std::uint32_t size = 0;
    std::uint16_t epoch = 0;
    LocationId location = kNoLocation;
  };
  LocationId search(Space space, ObjectId object, std::uint32_t size, std::uint16_t epoch);
  void forget_recent() { recent_.fill({}); }
  bool overlaps_covered(ObjectId object, std::uint32_t size) const;
  bool has_own_location(ObjectId begin, ObjectId end) const;
  void cover_bytes(ObjectId begin, ObjectId end);

  std::array<Recent, 64> recent_;
  std::map<ObjectId, Range> memory_;  // by address
  std::unordered_map<Cell, LocationId, HashCell> cells_;
  std::unordered_map<std::uint64_t, LocationId> objects_;
  std::vector<Space> spaces_;
  LocationId wide_ = kNoLocation;
  std::map<ObjectId, ObjectId> covered_;  // bytes: begin and end of ranges that do not overlap
  std::unordered_set<ObjectId> covered_mutexes_;
  bool outdated_ = false;
  bool arrivals_commute_ = false;
};

}  // namespace mazur
