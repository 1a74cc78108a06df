#include "machine/model/model_machine.h"

#include <algorithm>
#include <bit>
#include <string>

#include "trace/blocking/look.h"

namespace mazur::model {

ModelMachine::ModelMachine(const Program& program, bool heed_calls)
    : retries_(has_retry_loops(program)),
      state_(&program),
      initial_(state_),
      loops_(program, heed_calls) {
  if (retries_) forget_looks();
  if (retries_) loops_.restart(state_);
  note_failure();
}

void ModelMachine::restart() {
  state_ = initial_;
  stale_ = true;
  steps_ = 0;
  if (retries_) loops_.restart(state_);
  note_failure();
}

bool ModelMachine::set_memory(MemoryModel model) {
  initial_.make_weak(model != MemoryModel::kSc);
  initial_.reset();
  return true;
}

const Frontier& ModelMachine::frontier() {
  if (!stale_) return frontier_;
  state_.frontier(frontier_.mutable_threads());
  frontier_.mutable_state().clear();
  if (naming_) state_.name(frontier_.mutable_state());
  if (retries_) stop_in_vain();
  stale_ = false;
  return frontier_;
}

const Event& ModelMachine::run(Step step) {
  const Pending* pending = frontier().find(step.thread);
  if (pending == nullptr || (!pending->enabled && !is_look(pending->op)) ||
      step.choice >= pending->ways || !state_.can_refer(step)) {
    event_ = {.thread = step.thread, .choice = step.choice};
    failure_ = Failure{.kind = FailureKind::kUnsupported,
                       .thread = step.thread,
                       .message = "not a possible step: thread " + std::to_string(step.thread) +
                                  ", choice " + std::to_string(step.choice)};
    return event_;
  }
  const std::uint64_t look = looks_ ? loops_.look(step.thread) : 0;
  event_ = state_.run(step);
  if (look != 0) event_.label.value = look;
  stale_ = true;
  if (retries_) loops_.ran(event_, state_, steps_);
  ++steps_;
  note_failure();
  return event_;
}

bool ModelMachine::stands_still() {
  std::vector<ThreadId> blocked;
  const bool still = loops_.stands_still(state_, blocked);
  // For the report. The next frontier is as before.
  for (Pending& p : frontier_.mutable_threads())
    if (std::find(blocked.begin(), blocked.end(), p.thread) != blocked.end())
      p.op = state_.pending(p.thread).op;
  stale_ = true;
  return still;
}

// Threads that have made a round in vain are not enabled. The process can end without them.
void ModelMachine::stop_in_vain() {
  if (trace_ != nullptr && trace_->size() == steps_) loops_.decide(*trace_);
  bool any = false;
  for (Pending& p : frontier_.mutable_threads()) {
    if (loops_.stopped(p.thread)) {
      p.op = {.kind = OpKind::kNever, .object = loops_.met(p.thread), .value = kInVain};
      p.enabled = false;
      p.ways = 1;
    } else if (const std::uint64_t look = looks_ ? loops_.look(p.thread) : 0; look != 0) {
      p.op.value = look;
      const Look known = known_look(look, state_.value_at(p.op.object));
      p.enabled = known == Look::kUnknown;
      p.assumed = known == Look::kAssumed;
    }
    any |= p.enabled && p.op.kind != OpKind::kExit;
  }
  for (Pending& p : frontier_.mutable_threads())
    if (p.op.kind == OpKind::kExit) p.enabled = !any;
}

void ModelMachine::note_failure() {
  failure_.reset();
  if (state_.failed_now() == 0) return;
  const auto thread = static_cast<ThreadId>(std::countr_zero(state_.failed_now()));
  const ThreadState& t = state_.thread(thread);
  const std::string where =
      " in thread " + std::to_string(thread) + " at instruction " + std::to_string(t.pc);
  Failure failure{.thread = thread, .stack = {t.pc}};
  if (t.life == Life::kFailedAssertion) {
    failure.kind = FailureKind::kAssertion;
    failure.message = "assertion failed" + where;
  } else if (t.life == Life::kMisused) {
    failure.kind = FailureKind::kMisuse;
    failure.message =
        "releases what it does not hold, spawns again, or does what it cannot in an atomic block," +
        where;
  } else {
    failure.kind = FailureKind::kLivelock;
    failure.message = "local code does not end" + where;
  }
  failure_ = std::move(failure);
}

}  // namespace mazur::model
