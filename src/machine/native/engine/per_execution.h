// What the runtime keeps on behalf of the program has to start afresh with every execution.
#pragma once

namespace mazur::native {

// Calls everything that registered itself.
void reset_per_execution();

// A file-level object of a primitive: `const PerExecution reset_keys([] { ... });`. The function is
// called before each execution; capture_at_snapshot, if given, once when the snapshot is taken.
class PerExecution {
 public:
  explicit PerExecution(void (*reset)(), void (*capture_at_snapshot)() = nullptr);
};

void capture_per_execution_at_snapshot();

}  // namespace mazur::native
