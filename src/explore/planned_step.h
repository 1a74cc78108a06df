// A step that was planned in an earlier execution must be possible when its time comes. If it is
// not, the program does not behave as before, and the exploration cannot go on.
#pragma once

#include "trace/blocking/look.h"
#include "trace/frontier.h"

namespace mazur {

// Whether the step can be taken here. A look can always: when it was planned, it may not have been known
// to be in vain.
inline bool is_possible(const Frontier& frontier, Step step) {
  const Pending* pending = frontier.find(step.thread);
  return pending != nullptr && (pending->enabled || is_look(pending->op)) &&
         step.choice < pending->ways;
}

// Throws std::logic_error.
[[noreturn]] void planned_step_is_not_possible();

// The step, if it can be taken here. Throws otherwise.
inline Step possible(const Frontier& frontier, Step step) {
  if (!is_possible(frontier, step)) planned_step_is_not_possible();
  return step;
}

}  // namespace mazur
