// Why a loop was not taken for one that waits (waiting_loop.h). What stands in the way of its rounds
// is noted while the schedule of an execution that was cut is run again, and at no other time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "machine/native/engine/program_machine.h"
#include "protocol/loop_obstacle.h"
#include "trace/trace.h"

namespace mazur::native {

struct Fiber;

struct LoopReason {
  LoopObstacle what = LoopObstacle::kNone;
  Event event;                       // what the thread did then; of kOperation: the obstacle itself
  std::vector<std::uint64_t> stack;  // where, innermost first
};

// Runs the schedule on the machine, which follows `trace` and gets all events there. Why the loop in
// which the thread of the last event is, with rounds that begin at the place of that event, does not
// count as one that waits. Nothing: it was not found out.
LoopReason why_not_waiting(ProgramMachine& machine, std::span<const Step> schedule, Trace& trace);

// The running thread (runtime.h), or the one given, has done what keeps its round from being in vain.
// Only while runtime.explains_loops.
void note_obstacle(LoopObstacle what, ThreadId thread);
// The same at any time, for the thread whose loop is looked at.
void explain_loop(const Fiber& fiber, LoopObstacle what);
// The same for a plain write that may have changed nothing: to be kept until that is known, as
// number `index` of its step; and that this one has changed something.
void keep_writer(std::size_t index);
void note_writer(std::size_t index, ThreadId thread);

}  // namespace mazur::native
