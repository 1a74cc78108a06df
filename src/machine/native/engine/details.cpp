// What the machine tells reports about the state it is in.
#include "machine/native/engine/native_machine.h"
#include "machine/native/hooks/names.h"
#include "machine/native/system/output.h"

namespace mazur::native {

std::vector<ThreadState> NativeMachine::thread_states() {
  frontier();
  std::vector<ThreadState> states;
  for (ThreadId id = 0; id < known_threads(); ++id) {
    const Fiber* fiber = find_fiber(id);
    if (fiber == nullptr) continue;
    ThreadState state;
    state.thread = id;
    state.parent = fiber->parent;
    state.ended = fiber->ended;
    if (fiber->live) {
      const Pending& pending = slot(*fiber);
      // One that has stopped in std::lock may be blocked there.
      const bool blocked =
          fiber->loop.in_vain && fiber->loop.standard.has_failed() && !loop_can_go_on(*fiber);
      state.op = blocked ? fiber->pending : pending.op;
      state.enabled = pending.enabled;
      state.holder = holder(state.op);
      state.stack = fiber->call_stack;
      if (state.stack.empty()) state.stack.push_back(fiber->pc);
    }
    states.push_back(std::move(state));
  }
  return states;
}

Details NativeMachine::details() {
  return {event_stacks_, thread_states(), captured_output(), thread_names(), object_names()};
}

}  // namespace mazur::native
