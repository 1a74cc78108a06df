// Reversals of observed races that have been handled after a prefix: v was redundant, or is in the
// wakeup tree now. Executions that differ only in which of many stores was seen last have the same
// v at the same place, each time in another order.
//
// Only for v that consist of stores nobody has to see, of creations and joins, and of loads that
// come after all stores of their bytes. Then v is known, up to equivalence, by how many events of
// each thread it has and by what its loads read. Exactly that is compared.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/observability.h"

namespace mazur {

class HandledReversals {
 public:
  HandledReversals(const Observation& observation, const Observability& order)
      : observation_(observation), order_(order) {}

  // Another execution, which shares a prefix of this length with the last one. What was handled
  // after it and after longer ones is forgotten.
  void follow(std::size_t keep);
  // Whether v of the race of e with another store, observed by these in trace order (see
  // ObservedReversal::observed_race), was handled before, after pre(E, e) and while e was explored.
  // If not, it counts as handled from now on. Only where the last stores are observed; for others
  // it says no.
  bool contains_or_add(const Trace& trace, EventIndex e, std::span<const EventIndex> observers);

 private:
  struct Key {
    std::uint64_t hash = 0;
    std::vector<std::uint32_t> parts;
  };
  struct Load {
    EventIndex event, source;
    bool overwritten;  // a store of its bytes comes later
  };

  void find_last_store(const Trace& trace);
  void look_at(const Trace& trace);
  bool describe(const Trace& trace, EventIndex e, std::span<const EventIndex> observers);

  const Observation& observation_;
  const Observability& order_;
  std::vector<std::vector<Key>> keys_;  // by length of the prefix
  std::size_t end_ = 0;                 // longer prefixes have none
  Key key_;                             // scratch
  // Of this execution: from here on there are only operations of the kinds above, and the loads
  // among them, by thread.
  bool looked_at_ = false;
  EventIndex simple_from_ = 0;
  // Where more stores follow, the answer of the full analysis is kept for the next executions.
  EventIndex last_store_ = kNoEvent;  // not known yet
  std::vector<Load> loads_;
  std::vector<const Label*> stores_;  // scratch
  // Where few are found, none are looked for.
  std::uint32_t asked_ = 0;
  std::uint32_t found_ = 0;
};

}  // namespace mazur
