// Classes of executions modulo observability, for the oracle: Definition 1 of the paper on
// observers for reads and writes, as it reads, on the events of one whole execution.
//
// Deliberately written without src/trace, like happens_before.h.
#pragma once

#include <functional>
#include <vector>

#include "happens_before.h"
#include "machine/model/state.h"

namespace mazur::model {

// What an execution shows when memory that nobody reads any more does not count: how its threads
// ended and what they had in their registers.
struct Shown {
  std::uint64_t threads = 0;  // a hash
  bool deadlock = false;
  bool assumed_away = false;
  bool failure = false;
  friend auto operator<=>(const Shown&, const Shown&) = default;
};
Shown shown(const State& state);

// How much the order of the messages in each mailbox shows in a whole execution that ended in this
// state: 0 if they are only counted, 1 if receives look at them, 2 if they are ordered whatever
// receives do.
std::vector<int> mailboxes_shown(const std::function<const Event&(std::size_t)>& event,
                                 std::size_t size, const State& end);

// The name of the class of a whole execution that ended in this state. Two stores to the same bytes
// are ordered if a read sees which was the last one; stores to bytes that somebody waits for, by
// dependence. Two sends to one mailbox are ordered if the receive that took the message of the
// first would have taken the other one's, had that been first. If messages are only counted, a
// receive is not ordered with sends either.
ClassName observed_class(const std::function<const Event&(std::size_t)>& event, std::size_t size,
                         const State& end);

}  // namespace mazur::model
