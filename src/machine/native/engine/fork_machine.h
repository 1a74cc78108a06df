// --isolation=fork: every execution in a process of its own, for programs that a snapshot of their
// memory does not restore (memory they map themselves, state in files, libraries with state the
// loader keeps).
//
// The explorer stays in this process. restart() forks; the child runs a NativeMachine and takes one
// command after the other through a block of shared memory. About a hundred times slower than
// restoring.
#pragma once

#include <cstdint>

#include "machine/native/engine/native_machine.h"
#include "machine/native/engine/program_machine.h"

namespace mazur::native {

class ForkMachine : public ProgramMachine {
 public:
  // `native` is the machine that the children run; in this process it is never started.
  explicit ForkMachine(NativeMachine& native) : native_(native) {}
  ~ForkMachine() override;
  ForkMachine(const ForkMachine&) = delete;
  ForkMachine& operator=(const ForkMachine&) = delete;

  void restart() override;
  const Frontier& frontier() override { return frontier_; }
  const Event& run(Step step) override;
  const Failure* failure() const override { return has_failure_ ? &failure_ : nullptr; }
  bool set_memory(MemoryModel model) override { return native_.set_memory(model); }
  bool finished() const override { return finished_; }
  bool left_behind() const override { return left_behind_; }
  bool stands_still() override { return stands_still_; }
  bool sampled() const override { return runtime.channel->sampled.load() != 0; }
  bool skips_timeouts() const override { return runtime.channel->no_timeout.load() != 0; }
  bool leaves_out_time() const override {
    return runtime.channel->time_seen.load() != 0 && runtime.channel->time_left_out.load() != 0;
  }
  ThreadId holder(const Operation& op) const override;
  Details details() override;

 private:
  struct Shared;
  enum class Command : std::uint32_t { kStart, kRun, kDescribe };

  [[noreturn]] void serve();  // the child
  void publish();             // the child: the state after a command
  bool ask(Command command);  // this process: false if the child died
  void end_child();
  void child_died(int status);
  void read_state();

  NativeMachine& native_;
  Shared* shared_ = nullptr;
  long child_ = -1;
  Frontier frontier_;
  std::vector<ThreadId> holders_;  // parallel to the frontier
  Failure failure_;
  bool has_failure_ = false;
  bool finished_ = false;
  bool left_behind_ = false;
  bool stands_still_ = false;
};

}  // namespace mazur::native
