// The program in this process under a weak memory model: a step may say which store a load reads.
// Also under `sc`, for explorers of execution graphs, which need to know when a location begins
// anew. All that differs from NativeMachine is here, so that the latter pays nothing for it.
#pragma once

#include "machine/native/engine/native_machine.h"
#include "machine/native/weak/stored_bytes.h"

namespace mazur::native {

class WeakMachine final : public NativeMachine {
 public:
  WeakMachine(bool restores, MemoryModel model);

  void restart() override;
  const Event& run(Step step) override;
  bool set_memory(MemoryModel model) override { return model == model_; }

 private:
  Failure why(StoredBytes::Trouble trouble, const Fiber& fiber) const;

  const MemoryModel model_;
};

}  // namespace mazur::native
