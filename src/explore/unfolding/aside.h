// Events of U that cannot be added to C, out of the way of the search for alternatives.
//
// What is in conflict with C, or happens after an event of D, stays so until C is shorter. Until
// then it is out of the lists of children in the trees of objects. There can be thousands of events
// in one list, and most are out because of few events that they happen after. So those that were
// put aside for one reason are a group: the first of them stands for all, is put back alone, and is
// put aside again as long as the reason holds. Only when it does not, the others are looked at.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/unfolding/structure/event_structure.h"

namespace mazur::unfolding {

class Aside {
 public:
  explicit Aside(EventStructure& structure) : structure_(structure) {}

  // To be called when events have been added to U.
  void grow() { records_.resize(structure_.size()); }

  // Takes e, with those it leads, out of the lists until C is not longer than `position`. `because`
  // is e, or an event that it happens after and that cannot be added itself until then.
  void put(EventId e, std::uint32_t position, EventId because);
  // e is out, alone or as the first of a group.
  bool is_out(EventId e) const { return records_[e].position < kFollows; }

  // Others have the same reason and are not in the lists, though e may be.
  bool leads(EventId e) const {
    return records_[e].next != kBottom && records_[e].position != kFollows;
  }
  // That reason.
  EventId because(EventId e) const { return records_[e].because; }
  // Puts those others into the list where e, which is not out, is: after it.
  void split(EventId e);

  // C has become shorter.
  void truncate(std::size_t size);
  // Everything is put back.
  void clear();
  // The events have got new names. Must have been cleared.
  void rename() { records_.assign(structure_.size(), {}); }

 private:
  static constexpr std::uint32_t kListed = 0xffffffff;
  static constexpr std::uint32_t kFollows = 0xfffffffe;

  struct Record {
    std::uint32_t position = kListed;  // or kFollows: in a group, not as its first
    EventId because = kBottom;
    EventId next = kBottom;   // in the group
    EventId group = kBottom;  // of what was put aside because of this event: some group
  };

  bool can_follow(EventId e, EventId first) const;

  EventStructure& structure_;
  std::vector<Record> records_;              // by event
  std::vector<std::vector<EventId>> aside_;  // those that are out, by position
};

}  // namespace mazur::unfolding
