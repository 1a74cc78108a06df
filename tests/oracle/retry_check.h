// Programs with loops that come back to where they were, against a search over their states.
#pragma once

#include <string>

#include "machine/model/program.h"
#include "verify.h"

namespace mazur::model {

// All that a program can end in, by a search over its states. It knows nothing of rounds and of
// traces: there are finitely many states, however long a loop goes round.
class Endings {
 public:
  // A final state: whether it is finished, where threads are and what is in their registers; and
  // the variables.
  struct Seen {
    bool finished;
    bool assumed_away;  // some thread
    std::vector<std::int32_t> threads;
    std::vector<std::int32_t> variables;
    friend auto operator<=>(const Seen&, const Seen&) = default;
  };
  static Seen seen(const Program& program, const State& state);

  explicit Endings(const Program& program);
  bool complete = true;   // false: there are too many states
  bool livelock = false;  // from some state no end can be reached
  std::set<Seen> all;
};

// Empty, or what is wrong: an ending that the explorer has missed or made up, a livelock likewise,
// an execution that did not end. `what` must be complete.
std::string check_retries(const Program& program, const Endings& what, const Subject& subject);
// The same with or without stopping after failed calls (machine/model/retry_loops.h).
std::string check_retries(const Program& program, const Endings& what, const Subject& subject,
                          bool heed_calls);
// Whether the check is meaningful: an exit waits for threads that go round in vain.
bool can_check_retries(const Program& program);

}  // namespace mazur::model
