// A machine that runs a real program, and can say more about a failed execution than the loop
// needs.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.h"
#include "protocol/record.h"

namespace mazur::native {

// The state after the last step of an execution that was run with runtime.capture_stacks.
struct Details {
  std::vector<std::vector<std::uint64_t>> event_stacks;  // one per step
  std::vector<ThreadState> threads;
  std::string output;
  std::vector<std::pair<ThreadId, std::string>> thread_names;
  std::vector<std::pair<ObjectId, std::string>> object_names;
};

class ProgramMachine : public Machine {
 public:
  void try_spurious_wakeups(bool few) override;  // hooks/spurious.cpp
  void forget_reports() override;                // races/race_report.cpp
  virtual Details details() = 0;
};

}  // namespace mazur::native
