// How an execution fails: in the program's own step (fail, unsupported), or by what the race
// detector has found in it.
#include <cstdarg>
#include <cstdio>

#include "machine/native/engine/call_stack.h"
#include "machine/native/engine/loaded_program.h"
#include "machine/native/engine/native_machine.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/primitives/life.h"
#include "machine/native/races/race_report.h"
#include "machine/native/system/property.h"

namespace mazur::native {

// The detector has something to tell about this step, or has it left over from an earlier one.
void NativeMachine::tell_findings() {
  if (has_candidates() || wants_other_side()) {
    look_again();
    other_side_is_known();
    if (const Failure* failure = judge_candidates(); failure != nullptr) {
      has_failure_ = true;
      failure_ = *failure;
    }
  }
  if (has_failure_) return;
  if (const Failure* failure = untold_failure(); failure != nullptr) failed(*failure);
}

// Runs this execution up to here once more, watching for the earlier accesses of the candidates.
// The state afterwards is the state before.
void NativeMachine::look_again() {
  if (!restores_ || steps_ > Channel::kScheduleSize || runtime.channel->request.gdb != 0) return;
  const std::vector<Step> steps(runtime.channel->schedule, runtime.channel->schedule + steps_);
  const bool captured = runtime.capture_stacks;
  runtime.capture_stacks = true;
  watching = true;
  restart();
  for (const Step& step : steps) run(step);
  watching = false;
  runtime.capture_stacks = captured;
  if (!captured) event_stacks_.clear();
}

void NativeMachine::failed(FailureKind kind, Message message, std::vector<std::uint64_t> stack) {
  if (has_failure_) return;  // the first one of a step counts
  has_failure_ = true;
  failure_.kind = kind;
  failure_.thread = runtime.current != nullptr ? runtime.current->id : kNoThread;
  failure_.message = std::move(message);
  failure_.stack = std::move(stack);
  failure_.locks.clear();
  failure_.other = {};
}

void NativeMachine::failed(const Failure& failure) {
  if (has_failure_) return;
  has_failure_ = true;
  failure_ = failure;
}

const Event& NativeMachine::refuse(Step step, const Failure& failure) {
  const Fiber& fiber = fiber_of(step.thread);
  Event& event = runtime.event;
  event.thread = step.thread;
  event.choice = step.choice;
  event.ways = 1;
  event.label = Label{};
  static_cast<Operation&>(event.label) = fiber.pending;
  event.label.pc = fiber.pc;
  event.label.ref = step.ref;
  has_failure_ = true;
  failure_ = failure;
  return event;
}

std::vector<std::uint64_t> NativeMachine::stack_of_step() const {
  return event_stacks_.empty() ? std::vector<std::uint64_t>{} : event_stacks_.back();
}

std::vector<std::uint64_t> NativeMachine::place_of_use(ThreadId thread, ObjectId object) const {
  std::vector<std::uint64_t> place;
  std::size_t i = 0;
  for_each_event([&](const Event& event) {
    const std::size_t at = i++;
    if (event.thread != thread || (event.label.object != object && event.label.object2 != object))
      return;
    place =
        at < event_stacks_.size() ? event_stacks_[at] : std::vector<std::uint64_t>{event.label.pc};
  });
  return place;
}

void fail(FailureKind kind, const char* format, ...) {
  constexpr std::size_t kLongest = 1023;
  std::va_list arguments;
  va_start(arguments, format);
  if (!runtime.running) {
    char message[kLongest + 1];
    std::vsnprintf(message, sizeof message, format, arguments);
    failure_before_main(message);
  }
  if (__builtin_expect(only_ends_execution(kind), 0)) stop_for_good(MAZUR_CALLER);
  {
    const PrivateHeapScope scope;
    Message message;
    message.add(format, arguments);
    message.cut(kLongest);
    machine->failed(kind, std::move(message), call_stack(0));
  }
  va_end(arguments);
  runtime.current->failed = true;
  machine->thread_ended(*runtime.current);
  abandon();
}

void unsupported(const char* call, const void* pc) {
  char message[512];
  std::snprintf(message, sizeof message, "%s is not controlled by Mazur", call);
  if (!runtime.running) failure_before_main(message);
  {
    PrivateHeapScope scope;
    machine->failed(FailureKind::kUnsupported, message,
                    call_stack(reinterpret_cast<std::uint64_t>(pc)));
  }
  machine->thread_ended(*runtime.current);
  abandon();
}

}  // namespace mazur::native
