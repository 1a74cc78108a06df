// The program in this process as a Machine: threads are fibers, a step is a fiber switch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "machine/native/engine/fiber.h"
#include "machine/native/engine/program_machine.h"
#include "machine/native/engine/shared_granules.h"
#include "machine/native/loops/native_looks.h"
#include "machine/native/loops/round_assumptions.h"
#include "machine/native/loops/seen_time.h"
#include "machine/native/system/causal_time.h"
#include "machine/native/watch/endless_loop.h"
#include "trace/trace.h"

namespace mazur::native {

// A set of threads. Clearing and visiting it costs as much as the largest id that was put in.
class ThreadSet {
 public:
  void set(ThreadId thread, bool member) {
    const std::uint64_t bit = std::uint64_t{1} << (thread % 64);
    std::uint64_t& word = words_[thread / 64];
    word = member ? word | bit : word & ~bit;
    if (thread / 64 >= used_) used_ = thread / 64 + 1u;
  }
  void clear() {
    for (unsigned i = 0; i < used_; ++i) words_[i] = 0;
    used_ = 0;
  }
  template <typename F>
  void for_each(F function) const {
    for (unsigned i = 0; i < used_; ++i)
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1)
        function(static_cast<ThreadId>(i * 64 + static_cast<unsigned>(__builtin_ctzll(word))));
  }

 private:
  std::uint64_t words_[kMaxThreads / 64] = {};
  unsigned used_ = 0;
};

class NativeMachine : public ProgramMachine {
 public:
  // Everything must be set up (start.cpp): the snapshot is what executions start from.
  explicit NativeMachine(bool restores);

  void restart() override;
  const Frontier& frontier() override;
  const Event& run(Step step) override;
  const Failure* failure() const override { return has_failure_ ? &failure_ : nullptr; }
  bool finished() const override { return finished_; }
  bool left_behind() const override { return native::left_behind(); }
  bool sampled() const override { return runtime.channel->sampled.load() != 0; }
  bool skips_timeouts() const override { return runtime.channel->no_timeout.load() != 0; }
  bool leaves_out_time() const override {
    return runtime.channel->time_seen.load() != 0 && runtime.channel->time_left_out.load() != 0;
  }
  ThreadId holder(const Operation& op) const override;
  bool outdated() const override {
    return has_new_shared() || assumptions_failed() || looks_failed() || standard_locks_failed() ||
           clock_reads_changed();
  }
  bool stands_still() override;
  // Of a look that is disabled: whether the thread would fail an assume.
  void note_assumed(const Fiber& fiber, bool assumed) { slot(fiber).assumed = assumed; }
  void cut_short() override { want_everything_shared(); }
  // Includes what is left in unused places of its frames, so threads in the same state can have
  // different fingerprints.
  std::optional<std::uint64_t> local_state(ThreadId thread) override;

  void follow(const Trace* trace) override { trace_ = trace; }
  void follow_schedule(bool on) override { runtime.follows_schedule = on; }
  // Virtual time of the running thread (causal_time.h).
  std::int64_t time_of_current();
  void current_sleeps(std::int64_t duration);

  // How the running fiber reports back.
  void announce(const Operation& op, const void* pc, const Wait& wait);
  // The same for one that was interrupted, with this stack pointer, and never goes on.
  void announce_interrupted(const Operation& op, const void* pc, const Wait& wait, void* sp);
  void thread_created(Fiber& child);
  void thread_ended(Fiber& fiber);
  void process_ended();
  void failed(FailureKind kind, Message message, std::vector<std::uint64_t> stack);
  void failed(const Failure& failure);
  // The call stack of the operation under way, when runtime.capture_stacks; else empty.
  std::vector<std::uint64_t> stack_of_step() const;

  // The events of this execution before the one under way, as far as they are known.
  template <typename F>
  void for_each_event(F function) const {
    const std::size_t known = trace_ == nullptr ? 0 : std::min(steps_, trace_->size());
    for (std::size_t i = 0; i < known; ++i) function((*trace_)[static_cast<EventIndex>(i)]);
  }
  // Where a thread last did something with an object: the call stack, when runtime.capture_stacks;
  // else the place alone.
  std::vector<std::uint64_t> place_of_use(ThreadId thread, ObjectId object) const;

  // Whether so many steps have been run in this execution before the one under way.
  bool at_step(std::size_t step) const { return steps_ == step; }

  // How many threads have been created in this execution and have not ended.
  std::size_t live_threads() const { return frontier_.threads().size(); }

  Details details() override;

 protected:
  // How many steps have been run in this execution.
  std::size_t steps() const { return steps_; }
  // The next operation of a thread, which is not run because of this failure.
  const Event& refuse(Step step, const Failure& failure);

 private:
  std::vector<ThreadState> thread_states();
  void resume(Fiber& fiber);
  void enable_exit();
  void tell_findings();
  void look_at_loops(Fiber& fiber);
  void look_again();
  void decide();
  Pending& slot(const Fiber& fiber);

  const bool restores_;
  Frontier frontier_;
  ThreadSet conditional_;  // threads whose next operation is not simply enabled with one outcome
  Failure failure_;
  bool has_failure_ = false;
  bool finished_ = false;
  bool threads_seen_ = false;      // in some execution, and mazur knows
  std::vector<Fiber*> newborn_;    // created in this step, not yet run
  std::vector<Fiber*> undecided_;  // have made a round in vain that others have seen
  const Trace* trace_ = nullptr;
  CausalTime time_;
  bool looked_at_time_ = false;  // time_ is not that of a new execution
  std::size_t steps_ = 0;        // in this execution
  std::vector<std::vector<std::uint64_t>> event_stacks_;
};

// The machine of this process; null before it exists.
extern NativeMachine* machine;

// The entry of the main fiber: constructors if they belong to each execution, main, exit.
void run_main();

}  // namespace mazur::native
