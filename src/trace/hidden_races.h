// Races that only the other order of two equal operations would show: for context-sensitive
// exploration.
//
// Where e and f commute in the state they run in (commute.h), f.e is not explored, because e.f is.
// But races are found in executions, and f.e can have one that e.f has not: if x happens before e
// and y after f, and x and y depend, then x and y are no race in an execution with e before f. In
// one with f before e they are. With
//
//   a: load x; store y 1; load y        b: store x 1        c: store y 1; load x
//
// an execution in which a's store comes before c's has no race between a's load of x and b if c's
// load comes before b. That race is needed to get c's load before b before a.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/function_ref.h"
#include "trace/trace.h"

namespace mazur {

// An operation that a thread was about to run when the execution ended.
struct Unfinished {
  ThreadId thread = kNoThread;
  Operation op;
};

class HiddenRaces {
 public:
  // Calls found(e, f, y) for every dependent pair e, f of operations that commute, and every race
  // between x and y that it hides: x is e or happens before it, y happens after f, they do not
  // commute, and without the order of e and f they would be in a race. y is kNoEvent for an
  // unfinished operation. `before` is the order of the exploration.
  //
  // The trace and its order up to event `keep` are those of the last call.
  //
  // Where a block takes part, `equal` is asked whether x and y commute after pre(E, x).u.
  using Found = FunctionRef<void(EventIndex e, EventIndex f, EventIndex y)>;
  using Equal = FunctionRef<bool(std::span<const EventIndex> u, EventIndex x, EventIndex y)>;
  void find(const Trace& trace, std::size_t keep, const HappensBefore& before,
            std::span<const Unfinished> unfinished, Equal equal, Found found);

 private:
  struct Pair {
    EventIndex e, f;
  };
  using Clocks = std::vector<std::uint32_t>;
  void follow(const Trace& trace, std::size_t keep, const HappensBefore& before);
  bool is_equal_race(const HappensBefore& before, EventIndex x, EventIndex y, Equal equal);
  bool commutes(const std::uint32_t* clock, const HappensBefore& before, EventIndex x, EventIndex y,
                Equal equal);
  void find_hidden_by(const HappensBefore& before, const Pair& pair,
                      std::span<const Unfinished> unfinished, Equal equal, Found found);
  void join(Clocks& clocks, EventIndex y, EventIndex x) const;
  void join_program_order(const Trace& trace, Clocks& clocks, EventIndex y) const;

  std::vector<Pair> equal_;
  std::vector<std::vector<EventIndex>> dependent_;  // by later event, latest first
  Clocks forced_;                                   // program order, creation and join
  Clocks clocks_;                                   // without the order of one pair
  std::size_t stride_ = 0;
  std::vector<EventIndex> between_;  // scratch
};

}  // namespace mazur
