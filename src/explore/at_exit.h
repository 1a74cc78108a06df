// The threads that were still waiting when the process exited: the machine's last frontier does not
// tell, but they may have been disabled by an event that could come later.
#pragma once

#include "explore/explorer.h"

namespace mazur {

class AtExit {
 public:
  // Before every chosen step: keeps the frontier if the step ends the process. A step of a reversal
  // (trace/reversal.h) never does.
  void note(Step step, const Frontier& frontier) {
    const Pending* p = frontier.find(step.thread);
    if (p != nullptr && p->op.kind == OpKind::kExit) before_ = frontier;
  }
  // The frontier to look for waiting threads in when the execution is over.
  const Frontier& frontier(const Trace& trace, const Frontier& last) const {
    const bool exited = !trace.empty() && trace.events().back().label.kind == OpKind::kExit;
    return exited ? before_ : last;
  }

 private:
  Frontier before_;
};

}  // namespace mazur
