// The races of source-DPOR: what they add to the backtrack sets (JACM Alg. 1 lines 5-9; with
// blocking, Alg. 3 lines 3-8 and Alg. 5 lines 2-10).
//
// Races are analysed when the execution is over, but for every event as of the moment when it was
// about to run: E is the prefix before it (lines 5-9 come before the recursive call). The events of
// the kept prefix have had theirs.
#pragma once

#include <cstdint>
#include <vector>

#include "base/function_ref.h"
#include "explore/dpor/backtrack.h"
#include "trace/blocking/blocking.h"
#include "trace/reversal.h"

namespace mazur {

class SourceRaces {
 public:
  // kPersistent: the stronger test of section 5.1.
  enum class Sets : std::uint8_t { kSource, kPersistent };

  SourceRaces(BacktrackSearch& search, Sets sets) : search_(search), sets_(sets) {}

  // Adds to the backtrack sets what the races of the events from `keep` on ask for. After each race
  // e <~ f of two events, calls reversed(e, f). `frontier`: who waits at the end. `cut`: the last
  // step was run only for its own races, so what others do without it is not covered by executions
  // that have it.
  void analyse(const Trace& trace, const Frontier& frontier, std::size_t keep, bool cut,
               FunctionRef<void(EventIndex e, EventIndex f)> reversed);

  // Whether no race was left out (disabling_races).
  bool complete() const { return complete_; }

 private:
  void analyse_disabling(const Trace& trace, const Waiting& waiting, EventIndex end);
  void analyse_gaining(const Trace& trace, bool cut);
  void reverse();

  BacktrackSearch& search_;
  Sets sets_;
  bool complete_ = true;
  Reversal reversal_;
  // Races in the trace, in the order of their later events, for which the prefix before that event
  // is not enough.
  struct Race {
    EventIndex e, f;
  };
  std::vector<Race> gaining_;
};

}  // namespace mazur
