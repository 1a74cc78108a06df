// The variations of an execution: every dependence that can be turned round, one at a time.
//
// The thesis varies all dependences at once, 2^d systems for d of them. One at a time is enough:
// the others are turned round in the executions that follow. It is also all that is certain,
// because the event that comes later now may have another outcome (4.2).
//
// Blocking operations are varied as in JACM section 8: an operation is run before the event that
// disabled it, also when it is still blocked at the end of the execution. Other outcomes of one
// operation are variations, too.
//
// Between executions this remembers which variations need not be looked at again while a prefix is
// repeated.
#pragma once

#include <vector>

#include "base/function_ref.h"
#include "explore/explorer.h"
#include "trace/blocking/blocking.h"
#include "trace/reversal.h"
#include "trace/trace.h"

namespace mazur {

class Variations {
 public:
  // Plans a variation or finds that it is covered. Returns the position in the trace that this
  // rests on, Reversal::settled_by().
  using Vary = FunctionRef<EventIndex(Reversal&)>;

  // For all variations of an execution, earlier events first. It shares its first `kept` events
  // with the execution before. `frontier`: who waits at its end.
  void for_each(const Trace& trace, const Frontier& frontier, std::size_t kept, Vary vary);

  // Whether no variation was left out.
  bool complete() const { return complete_; }

 private:
  EventIndex races(const Trace& trace, EventIndex e, EventIndex f, Vary vary);
  EventIndex disabling(const Trace& trace, const Waiting& waiting, Vary vary);
  EventIndex outcomes(const Trace& trace, EventIndex e, Vary vary);

  Reversal reversal_;
  bool complete_ = true;
  // By race, and by event: what settles the variations.
  std::vector<EventIndex> race_settled_;
  std::vector<EventIndex> disabling_settled_;
  std::vector<EventIndex> outcomes_settled_;
};

}  // namespace mazur
