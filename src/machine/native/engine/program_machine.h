// A machine that runs a real program, and can say more about a failed execution than the loop
// needs.
#pragma once

#include "machine/machine.h"
#include "protocol/record.h"

namespace mazur::native {

class ProgramMachine : public Machine {
 public:
  void let_loops_wait(bool wait) override;       // loops/waiting_loop.cpp
  void know_looks(bool on) override;             // loops/native_looks.cpp
  void try_spurious_wakeups(bool few) override;  // hooks/spurious.cpp
  void forget_reports() override;                // races/race_report.cpp
  // The state after the last step of an execution that was run with runtime.capture_stacks.
  virtual Details details() = 0;
};

}  // namespace mazur::native
