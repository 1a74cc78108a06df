// A model program behind the Machine interface.
#pragma once

#include <optional>

#include "machine/machine.h"
#include "machine/model/retry_loops.h"
#include "machine/model/state.h"

namespace mazur::model {

class ModelMachine final : public Machine {
 public:
  // The program must be valid (see invalid()) and outlive the machine.
  explicit ModelMachine(const Program& program, bool heed_calls = true);

  void restart() override;
  const Frontier& frontier() override;
  // A step that is not possible changes nothing and is a failure of kind kUnsupported.
  const Event& run(Step step) override;
  // When a step ended two threads badly (one and the thread it had just spawned), the one with the
  // lower id.
  const Failure* failure() const override { return failure_ ? &*failure_ : nullptr; }
  bool finished() const override { return state_.finished(); }

  bool set_memory(MemoryModel) override;
  // Not with loops whose rounds are judged: how they are depends on more than the state.
  bool name_states() override { return naming_ = stale_ = !retries_; }
  void follow(const Trace* trace) override { trace_ = trace; }
  bool stands_still() override;
  void know_looks(bool on) override { looks_ = on && retries_; }
  bool outdated() const override { return loops_.failed(); }
  ThreadId holder(const Operation& op) const override { return state_.holder(op); }

  std::optional<std::uint64_t> local_state(ThreadId thread) override {
    return state_.hash_of(thread);
  }

  const State& state() const { return state_; }

 private:
  void note_failure();
  void stop_in_vain();

  const bool retries_;  // the program has such loops
  State state_;
  State initial_;
  Frontier frontier_;
  bool stale_ = true;
  bool naming_ = false;
  bool looks_ = false;
  RetryLoops loops_;
  const Trace* trace_ = nullptr;
  std::uint64_t steps_ = 0;
  Event event_;
  std::optional<Failure> failure_;
};

}  // namespace mazur::model
