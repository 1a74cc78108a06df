// The end of an execution: whether threads that have stopped in vain would do anything else now.
#include <algorithm>
#include <vector>

#include "machine/native/engine/native_machine.h"
#include "machine/native/races/race_detector.h"

namespace mazur::native {

// Lets every thread that has stopped in vain go round once more, alone. A round in vain leaves
// everything as it was, so one thread after the other can do so.
bool NativeMachine::stands_still() {
  constexpr int kMostSteps = 1000;
  std::vector<Pending> before(frontier_.threads().begin(), frontier_.threads().end());
  const Event event = runtime.event;
  const bool had_failure = has_failure_;
  const bool races = race_state.on;
  race_state.on = false;  // what is found here would count as known from then on
  const Failure failure = failure_;
  const std::size_t steps = steps_;
  const std::size_t stacks = event_stacks_.size();
  bool still = true;
  for (Pending& p : before) {
    if (!is_in_vain(p.op)) continue;
    Fiber& fiber = fiber_of(p.thread);
    // Where std::lock has failed, it locks next. It tries again until it waits there.
    const bool standard = fiber.loop.standard.has_failed();
    int left = kMostSteps;
    for (;;) {
      if (fiber.loop.waiting) {
        if (standard && !loop_can_go_on(fiber)) {
          p.op = fiber.pending;  // for the report
          break;
        }
        if (!standard && left < kMostSteps) break;
        loop_goes_on(fiber);
      }
      // If it blocks, it gets there without a round in vain as well.
      still = fiber.wait.enabled == nullptr || fiber.wait.enabled(fiber);
      if (!still) break;
      run({p.thread, 0});
      still = --left > 0 && fiber.live && !has_failure_ &&
              (standard ? fiber.loop.standard.is_inside()
                        : fiber.loop.anchored && !runtime.changed && !fiber.loop.standard.refused &&
                              changed_nothing(runtime.event.label));
      if (!still) break;
    }
    if (!still) break;
  }
  frontier_.mutable_threads() = before;
  runtime.event = event;
  race_state.on = races;
  has_failure_ = had_failure;
  failure_ = failure;
  steps_ = steps;
  event_stacks_.resize(stacks);
  if (runtime.channel != nullptr)
    runtime.channel->schedule_size.store(
        static_cast<std::uint32_t>(std::min<std::size_t>(steps, Channel::kScheduleSize)),
        std::memory_order_relaxed);
  return still;
}

}  // namespace mazur::native
