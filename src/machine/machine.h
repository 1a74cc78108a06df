// A deterministic concurrent system that can be stepped. It knows threads, their next operations
// and how to run one step; it knows nothing of exploration.
//
// Contract:
//  1. restart() returns to the one initial state. From there the same sequence of steps always gives
//     the same events. A machine that cannot keep this reports a Failure of kind kUnsupported.
//  2. frontier() is valid until the next run() or restart(). Its entries are sorted by thread id.
//  3. run(step) executes the next operation of an enabled thread, with that outcome, and the
//     thread's local code up to its next operation. A thread created by it has run up to its own
//     first operation.
//  4. After run(), failure() says whether the step failed. The failed thread has ended, unless the
//     failure is a data race; the others can go on.
#pragma once

#include <cstdint>
#include <optional>

#include "trace/failure.h"
#include "trace/frontier.h"
#include "trace/memory_model.h"

namespace mazur {

class Trace;

class Machine {
 public:
  virtual ~Machine() = default;
  virtual void restart() = 0;
  virtual const Frontier& frontier() = 0;
  virtual const Event& run(Step step) = 0;
  // The failure of the last step (or of the start), or nullptr. Valid until the next run() or
  // restart().
  virtual const Failure* failure() const = 0;
  // The process has ended (or every thread has): nothing is left to run. If it has not, a frontier
  // without an enabled thread is a deadlock, except for threads stopped by a failed assume
  // (kNever).
  virtual bool finished() const = 0;
  // From the next restart() on, executions are those of this memory model: fences are events, and a
  // step may say which store a load reads (Step::ref). False: this machine does not know it.
  virtual bool set_memory(MemoryModel model) { return model == MemoryModel::kSc; }
  // The trace that the steps of coming executions are appended to. A machine may ask it for what
  // has happened. Null: there is no trace any more.
  virtual void follow(const Trace* /*trace*/) {}
  // From now on the steps are those of a recorded schedule, or not any more. There, loops go on that
  // would wait: the recorded execution may have known better when one waits.
  virtual void follow_schedule(bool /*on*/) {}
  // Whether the program has asked for an input of which only some values are tried.
  virtual bool sampled() const { return false; }
  // Whether a wait with a deadline has waited as if it had none (--timeouts).
  virtual bool skips_timeouts() const { return false; }
  // Whether executions were left out in which time passes in loops that wait, and the program looks
  // at clocks.
  virtual bool leaves_out_time() const { return false; }
  // Whether a thread of this execution was left in a loop for good, and something that it reads
  // there was written later by an access that is no event.
  virtual bool left_behind() const { return false; }
  // At the end of an execution: whether no thread that has stopped after a round in vain (kNever
  // with kInVain) would do anything but such a round now. May use up the execution; the frontier
  // stays as it was.
  virtual bool stands_still() { return true; }
  // Some machines leave out what need not be an event. True if an execution has shown that too much
  // was left out: then the explorations so far do not count.
  virtual bool outdated() const { return false; }
  // Tells the machine that an execution was cut off because it has too many steps. The reason may
  // be that events are left out.
  virtual void cut_short() {}
  // In coming executions, whether a thread that has gone round in a loop in vain waits until it may
  // go on. Otherwise it stops for good. Machines begin with threads that wait.
  virtual void let_loops_wait(bool /*wait*/) {}
  // In coming executions, whether loads at which a thread would only go round in vain, as is known, are
  // looks that are disabled (trace/blocking/look.h). Machines begin without.
  virtual void know_looks(bool /*on*/) {}
  // Whether coming executions have a few spurious wake-ups to choose from, whatever was asked for.
  // True only for walks that add nothing to a proof.
  virtual void try_spurious_wakeups(bool /*few*/) {}
  // What past executions have failed with is a failure again if it is met again. (A data race is
  // otherwise reported once.)
  virtual void forget_reports() {}
  // From now on, every frontier names its state. False: this machine cannot compare states.
  virtual bool name_states() { return false; }
  // A fingerprint of a thread's own state: where it is, its registers and its stack. A thread with
  // equal fingerprints goes on alike in equal memory. Empty: this machine cannot tell.
  virtual std::optional<std::uint64_t> local_state(ThreadId) { return std::nullopt; }
  // The thread that holds what a disabled operation waits for, or kNoThread; for reports.
  virtual ThreadId holder(const Operation&) const { return kNoThread; }
};

}  // namespace mazur
