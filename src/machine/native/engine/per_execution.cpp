#include "machine/native/engine/per_execution.h"

#include "machine/native/memory/raw.h"

namespace mazur::native {
namespace {

struct Kind {
  void (*reset)();
  void (*capture)();
};
// Plain arrays: they are registered by constructors in any order.
constexpr int kMost = 32;
Kind kinds[kMost];
int count = 0;

}  // namespace

PerExecution::PerExecution(void (*reset)(), void (*capture_at_snapshot)()) {
  if (count == kMost) die("too many kinds of per-execution state");
  kinds[count++] = {reset, capture_at_snapshot};
}

void reset_per_execution() {
  for (int i = 0; i < count; ++i)
    if (kinds[i].reset != nullptr) kinds[i].reset();
}

void capture_per_execution_at_snapshot() {
  for (int i = 0; i < count; ++i)
    if (kinds[i].capture != nullptr) kinds[i].capture();
}

}  // namespace mazur::native
