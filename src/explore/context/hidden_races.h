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

#include "base/function_ref.h"
#include "explore/context/reordering.h"
#include "trace/frontier.h"
#include "trace/trace.h"

namespace mazur {

// An operation that a thread was about to run when the execution ended.
struct Unfinished {
  ThreadId thread = kNoThread;
  Operation op;
};

// Those of the threads that are blocked then.
inline void find_blocked(const Frontier& frontier, std::vector<Unfinished>& found) {
  found.clear();
  for (const Pending& p : frontier.threads())
    if (!p.enabled) found.push_back({p.thread, p.op});
}

class HiddenRaces {
 public:
  // x and y do not commute, and are no race because of the order of events that do. notdep(x),
  // without y, in the order without that, and in the order of the trace; pre(E, x).notdep(x).x can
  // be executed with the results of the trace. `last` is y as it is after pre(E, x).notdep(x).
  // Returns whether that is all that one needs to know.
  using Race = FunctionRef<bool(EventIndex x, EventIndex y, const Event& last,
                                std::span<const EventIndex> notdep)>;
  // The order of e and f, which commute, hides a race of x and y about which more would have to be
  // known. y is kNoEvent for an unfinished operation.
  using Hides = FunctionRef<void(EventIndex e, EventIndex f, EventIndex x, EventIndex y)>;
  // Where a block takes part: whether x and y commute after pre(E, x).u.
  using Equal = FunctionRef<bool(std::span<const EventIndex> u, EventIndex x, EventIndex y)>;

  // Whether two events that depend have an order of their own. Two stores that nobody tells apart
  // may have one only because of what comes between them.
  using Ordered = FunctionRef<bool(EventIndex x, EventIndex y)>;

  // Calls race() or hides() for every race that is hidden, or both. `before` is the order of the
  // exploration.
  //
  // The trace and its order up to event `keep` are those of the last call.
  void find(const Trace& trace, std::size_t keep, const HappensBefore& before,
            std::span<const Unfinished> unfinished, Equal equal, Ordered ordered, Race race,
            Hides hides);

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
                      std::span<const Unfinished> unfinished, Equal equal, Ordered ordered);
  void find_hidden_by_several(const HappensBefore& before, std::span<const Unfinished> unfinished,
                              Equal equal, Ordered ordered);
  template <typename Found>
  void find_unfinished(const HappensBefore& before, const Unfinished& unfinished, Found&& found);
  bool covers(const std::uint32_t* clock, const Trace& trace, EventIndex x) const {
    return clock[trace.thread(x)] > trace.place(x);
  }
  void hide(const Trace& trace, const Pair& race, const Pair& by);
  bool is_known(const Trace& trace, const Pair& race, Event& last);
  void join(Clocks& clocks, EventIndex y, EventIndex x) const;
  void join_program_order(const Trace& trace, Clocks& clocks, EventIndex y) const;

  std::vector<Pair> equal_;  // by later event
  struct Hidden {
    Pair race;
    Pair by;     // the pair that hides it; the race itself if there are several
    bool known;  // notdep and `last` are
    Event last;
    std::size_t begin, end;  // of its part of notdep_
  };
  std::vector<Hidden> hidden_;
  std::vector<EventIndex> notdep_;
  std::vector<Pair> races_;  // scratch
  Reordering reordering_;
  std::vector<std::vector<EventIndex>> dependent_;  // by later event, latest first
  Clocks forced_;                                   // program order, creation and join
  Clocks clocks_;                                   // without the order of one pair
  std::size_t stride_ = 0;
  std::vector<EventIndex> between_;  // scratch
};

}  // namespace mazur
