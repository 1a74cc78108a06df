#include "machine/native/loops/why_not_waiting.h"

#include <algorithm>
#include <array>

#include "machine/native/engine/call_stack.h"
#include "machine/native/engine/fiber.h"
#include "machine/native/loops/kept_memory.h"
#include "machine/native/loops/waiting_loop.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/races/race_report.h"
#include "machine/native/system/output.h"

namespace mazur::native {
namespace {

struct Noted {
  LoopObstacle what;
  ThreadId thread;
  EventIndex step;                   // while this event was run, or after it
  std::vector<std::uint64_t> stack;  // empty: that of the event
};

// Of the last steps of a schedule. A round is not longer.
constexpr std::size_t kLast = 1000;

std::vector<Noted> noted;
std::array<std::vector<std::uint64_t>, 16> writers;
EventIndex now = 0;

void add(LoopObstacle what, ThreadId thread, std::vector<std::uint64_t> stack) {
  noted.push_back({what, thread, now, std::move(stack)});
}

// Notes what the step has changed, unless it has been noted on the way.
void look_at_step(const Event& event) {
  const bool known = std::any_of(noted.begin(), noted.end(), [&](const Noted& n) {
    return n.step == now && n.thread == event.thread && n.what != LoopObstacle::kCounter;
  });
  if (!changed_nothing(event.label)) return add(LoopObstacle::kOperation, event.thread, {});
  if (runtime.changed && !known) add(LoopObstacle::kChange, event.thread, {});
}

// The obstacles that are not about the thread's own state come first: that may differ because of
// them.
const Noted* first_between(ThreadId thread, EventIndex begin, EventIndex end) {
  const Noted* found = nullptr;
  for (const Noted& n : noted) {
    if (n.thread != thread || n.step < begin || n.step > end) continue;
    if (n.what != LoopObstacle::kCounter) return &n;
    if (found == nullptr) found = &n;
  }
  return found;
}

}  // namespace

void note_obstacle(LoopObstacle what) {
  if (runtime.current == nullptr) return;
  const ThreadId thread = runtime.current->id;
  if (!noted.empty() && noted.back().step == now && noted.back().thread == thread &&
      noted.back().what == what)
    return;
  const PrivateHeapScope scope;
  add(what, thread, call_stack(0));
}

void note_obstacle(LoopObstacle what, ThreadId thread) {
  const PrivateHeapScope scope;
  add(what, thread, {});
}

void keep_writer(std::size_t index) {
  const PrivateHeapScope scope;
  if (index < writers.size()) writers[index] = call_stack(0);
}

void note_writer(std::size_t index, ThreadId thread) {
  const PrivateHeapScope scope;
  if (index < writers.size()) add(LoopObstacle::kWrite, thread, writers[index]);
}

[[gnu::cold]] void explain_loop(const Fiber& fiber, LoopObstacle what) {
  if (runtime.explains_loops) note_obstacle(what, fiber.id);
}

LoopReason why_not_waiting(ProgramMachine& machine, std::span<const Step> schedule, Trace& trace) {
  LoopReason reason;
  if (schedule.empty()) return reason;
  noted.clear();
  start_output();
  forget_pairs();
  trace.clear();
  runtime.capture_stacks = true;
  machine.let_loops_wait(true);
  machine.follow_schedule(true);
  machine.follow(&trace);
  watch_all_writes(true);
  machine.restart();
  for (const Step& step : schedule) {
    const Pending* pending = machine.frontier().find(step.thread);
    if (pending == nullptr || !pending->enabled || step.choice >= pending->ways) break;
    now = static_cast<EventIndex>(trace.size());
    runtime.explains_loops = schedule.size() - trace.size() <= kLast;
    trace.append(machine.run(step));
    if (runtime.explains_loops) look_at_step(trace.events().back());
  }
  runtime.explains_loops = false;
  const Details details = machine.details();
  watch_all_writes(false);
  machine.follow_schedule(false);
  machine.follow(nullptr);
  runtime.capture_stacks = false;
  start_output();
  if (trace.size() != schedule.size()) return reason;

  // Its last round.
  const auto last = static_cast<EventIndex>(trace.size() - 1);
  EventIndex begin = last;
  while (begin > 0 && last - begin < kLast) {
    --begin;
    if (trace[begin].thread == trace[last].thread && trace[begin].label.pc == trace[last].label.pc)
      break;
  }
  const Noted* found = first_between(trace[last].thread, begin + 1, last);
  if (found == nullptr) {
    // Rounds of so many operations are not looked for.
    const auto own = std::count_if(
        trace.events().begin() + static_cast<std::ptrdiff_t>(begin), trace.events().end(),
        [&](const Event& event) { return event.thread == trace[last].thread; });
    if (static_cast<std::size_t>(own) <= WaitingLoop::kVisits) return reason;
    if (last >= details.event_stacks.size()) return reason;
    return {LoopObstacle::kReads, trace[last], details.event_stacks[last]};
  }
  reason.what = found->what;
  reason.event = trace[found->step];
  reason.stack = found->stack;
  if (reason.stack.empty() && found->step < details.event_stacks.size())
    reason.stack = details.event_stacks[found->step];
  return reason;
}

}  // namespace mazur::native
