#include "machine/native/weak/weak_machine.h"

#include <string>

#include "machine/native/memory/private_heap.h"
#include "machine/native/races/race_detector.h"
#include "machine/native/weak/parts.h"
#include "trace/fields.h"

namespace mazur::native {
namespace {

// Of a mailbox or a table.
bool is_of_messages(const Operation& op) {
  return op.kind == OpKind::kSend || op.kind == OpKind::kReceive ||
         (is_memory(op.kind) && !is_cell(op));
}

}  // namespace

WeakMachine::WeakMachine(bool restores, MemoryModel model)
    : NativeMachine(restores), model_(model) {
  race_state.by_store = true;
  fences_are_events = model != MemoryModel::kSc;
  operations_in_parts = true;
  give_up_standard_locks();  // the argument is about interleavings
}

void WeakMachine::restart() {
  stored_bytes.restart();
  NativeMachine::restart();
}

const Event& WeakMachine::run(Step step) {
  using Trouble = StoredBytes::Trouble;
  Label& label = runtime.event.label;
  label.ref = step.ref;
  label.epoch = 0;
  const Fiber* fiber = find_fiber(step.thread);
  if (fiber == nullptr || !fiber->live) return NativeMachine::run(step);
  if (model_ != MemoryModel::kSc && is_of_messages(fiber->pending) && runtime.channel != nullptr)
    runtime.channel->sequential_objects.store(1, std::memory_order_relaxed);
  Trouble trouble = Trouble::kNone;
  {
    const PrivateHeapScope scope;
    trouble = stored_bytes.begin(fiber->pending, step.ref, static_cast<StoreRef>(steps()),
                                 step.thread, fiber->pc);
  }
  if (trouble != Trouble::kNone) return refuse(step, why(trouble, *fiber));
  label.epoch = stored_bytes.epoch();
  return NativeMachine::run(step);
}

Failure WeakMachine::why(StoredBytes::Trouble trouble, const Fiber& fiber) const {
  using Trouble = StoredBytes::Trouble;
  Failure failure{.kind = FailureKind::kUnsupported, .thread = fiber.id};
  failure.stack = fiber.call_stack;
  if (failure.stack.empty()) failure.stack.push_back(fiber.pc);
  if (trouble == Trouble::kNoSuchStore) {
    failure.message = "the schedule did not replay: there is no such store to read";
  } else if (trouble == Trouble::kTooManyEpochs) {
    failure.message.add("atomic object %p is initialised anew more than 65535 times",
                        reinterpret_cast<const void*>(fiber.pending.object));
  } else {
    const StoredBytes::LastAccess& other = stored_bytes.other();
    failure.message.add(
        "an atomic access of %u bytes to %p and an earlier one of %u bytes overlap: execution "
        "graphs "
        "and weak memory models have no accesses of different sizes to the same bytes",
        fiber.pending.size, reinterpret_cast<const void*>(fiber.pending.object), other.size);
    failure.other.thread = other.thread;
    failure.other.what = "atomic access of " + std::to_string(other.size) + " bytes";
    failure.other.stack.push_back(other.pc);
  }
  return failure;
}

}  // namespace mazur::native
