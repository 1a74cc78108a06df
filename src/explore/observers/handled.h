// Reversals of observed races that have been handled after a prefix: v was redundant, or is in the
// wakeup tree now. Executions that differ only in which of many stores was seen last have the same
// v at the same place, each time in another order.
//
// Only for v that consist of stores nobody has to see, of creations and joins, and of loads that
// come after all stores of their bytes. Then v is known, up to equivalence, by how many events of
// each thread it has and by what its loads read. Exactly that is compared.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "explore/observers/observability.h"

namespace mazur {

class HandledReversals {
 public:
  HandledReversals(const Observation& observation, const Observability& order)
      : observation_(observation), order_(order) {}

  // Another execution, which shares a prefix of this length with the last one. What was handled
  // after it and after longer ones is forgotten.
  void follow(const Trace& trace, std::size_t keep);
  // Whether v of the race of e with another store, observed by these in trace order (see
  // ObservedReversal::observed_race), was handled before, after pre(E, e) and while e was explored.
  // If not, it counts as handled from now on. Where it cannot tell it says no.
  bool contains_or_add(const Trace& trace, EventIndex e, std::span<const EventIndex> observers);

 private:
  // After one prefix: the descriptions of v, one after the other, and a hash of each.
  struct Known {
    std::vector<std::uint64_t> hashes;
    std::vector<std::uint32_t> ends;  // in parts
    std::vector<std::uint32_t> parts;
  };
  struct Load {
    EventIndex event, source;
    bool overwritten;  // a store of its bytes comes later
  };

  void look_at(const Trace& trace, EventIndex from);
  void count(const Trace& trace, std::span<const EventIndex> observers);
  bool add_reads(const Trace& trace, EventIndex e);
  bool is_out(EventIndex i) const;
  bool contains(const Known& known, std::uint64_t hash) const;

  const Observation& observation_;
  const Observability& order_;
  std::vector<Known> known_;  // by length of the prefix
  std::size_t end_ = 0;       // longer prefixes have none
  // Of this execution: from here on there are only operations of the kinds above, unless the one
  // before is not; the loads among them, latest first; and the stores, one for the same bytes.
  EventIndex simple_from_ = 0;
  bool stopped_ = false;
  std::vector<Load> loads_;
  std::vector<const Label*> stores_;
  // What describes v: whose event the last one is, and how many events each thread has in
  // pre(E, e).v. This is the same for all races with these observers. Then come loads and sources.
  std::vector<EventIndex> observers_;
  std::uint64_t counts_hash_ = 0;
  std::vector<std::uint32_t> parts_;
  std::vector<std::array<std::uint32_t, 4>> reads_;  // scratch
  // Where few are found, none are looked for.
  std::uint32_t asked_ = 0;
  std::uint32_t found_ = 0;
};

}  // namespace mazur
