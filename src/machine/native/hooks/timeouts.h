// --timeouts: which waits with a deadline may time out. A timeout may strike whenever its operation
// would block, so a loop around such a wait has endless executions. `first` lets a thread time out
// at a place once, and then wait there as if there were no deadline; `never` does so always.
//
// It depends on what the thread itself has done, so it is the same in all schedules of a trace. A
// state in which nobody can go on but for such a wait is not an error with `first`: the execution
// is cut there (Operation::order is kPatient). With `never` it is a deadlock.
#pragma once

#include <cstdint>

namespace mazur::native {

struct Deadline {
  bool strikes = false;    // the wait may time out
  std::uint8_t order = 5;  // of its Operation
};

// Of a wait that the running thread is about to begin. `given`: it has a deadline.
Deadline deadline_at(bool given, const void* pc);
// The wait has timed out.
void note_timeout(const void* pc);

}  // namespace mazur::native
