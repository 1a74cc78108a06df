#include "machine/native/engine/native_machine.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "machine/native/engine/atomic_block.h"
#include "machine/native/engine/call_stack.h"
#include "machine/native/engine/loaded_program.h"
#include "machine/native/engine/per_execution.h"
#include "machine/native/hooks/places.h"
#include "machine/native/loops/native_looks.h"
#include "machine/native/memory/arena.h"
#include "machine/native/memory/leaks.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/memory/snapshot.h"
#include "machine/native/races/plain.h"
#include "machine/native/races/race_detector.h"
#include "machine/native/system/files.h"
#include "machine/native/system/output.h"
#include "machine/native/watch/module_watch.h"
#include "trace/blocking/look.h"

namespace mazur::native {

constinit Runtime runtime;
std::uint8_t mazur_watch_plain = 0;
NativeMachine* machine = nullptr;

NativeMachine::NativeMachine(bool restores) : restores_(restores) {
  frontier_.mutable_threads().reserve(kMaxThreads);
}

void NativeMachine::restart() {
  if (restores_) restore_snapshot();
  close_opened_files();
  ++runtime.execution;
  forget_block();
  reset_per_execution();
  reset_race_detector();
  reset_waiting_loops();
  forget_endless_loops();
  if (__builtin_expect(leaks_on, 0)) reset_leaks();
  const ThreadId known = known_threads();
  for (ThreadId id = 0; id < known; ++id) {
    Fiber& fiber = fiber_of(id);
    fiber.live = fiber.ended = fiber.ending = fiber.failed = false;
    fiber.detached = fiber.joined = false;
    fiber.children = 0;
    fiber.loop.forget();
  }
  if (__builtin_expect(threads_are_numbered_anew, 0)) forget_numbers();
  frontier_.mutable_threads().clear();
  conditional_.clear();
  undecided_.clear();
  has_failure_ = false;
  finished_ = false;
  steps_ = 0;
  if (__builtin_expect(looked_at_time_, 0)) time_.clear();
  looked_at_time_ = false;
  event_stacks_.clear();
  if (runtime.channel != nullptr)
    runtime.channel->schedule_size.store(0, std::memory_order_relaxed);
  Fiber& main = fiber_of(0);
  prepare(main, run_main);
  thread_created(main);
  runtime.begun = false;
  runtime.plain_accesses = 0;
  runtime.look_at = kFirstLook;
  resume(main);
  if (__builtin_expect(race_state.found, 0)) tell_findings();
}

namespace {

// A thread whose plain accesses were watched has come to an operation.
[[gnu::noinline, gnu::cold]] void stop_watching(Fiber& fiber) {
  stop_looking();
  compare_writes(fiber);
}

}  // namespace

// Runs a fiber until it announces its next operation or ends. Then runs the threads that it
// created, each up to its first operation.
void NativeMachine::resume(Fiber& fiber) {
  mazur_entry.sp = 0;
  thread_enters(fiber);
  enter(fiber);
  thread_left(fiber);
  PrivateHeapScope::reset();
  if (__builtin_expect(mazur_watch_plain != 0, 0)) stop_watching(fiber);
  if (__builtin_expect(runtime.explore_plain, 0)) note_plain_write();
  while (!newborn_.empty()) {
    Fiber* child = newborn_.back();
    newborn_.pop_back();
    runtime.plain_accesses = 0;
    runtime.look_at = kFirstLook;
    thread_enters(*child);
    enter(*child);
    PrivateHeapScope::reset();
    if (__builtin_expect(mazur_watch_plain != 0, 0)) stop_watching(*child);
    if (child->live && loop_starts(*child)) {
      slot(*child).op = child->pending;
      conditional_.set(child->id, true);
    }
  }
}

// A thread has made a round in vain that others have seen. Now that the trace has all its events, it
// can be told whether it knows of a repetition.
void NativeMachine::decide() {
  const bool can_tell = runtime.stop_in_vain && trace_ != nullptr && trace_->size() == steps_;
  for (Fiber* fiber : undecided_)
    if (fiber->live && fiber->loop.undecided && can_tell && loop_stops(*fiber, *trace_)) {
      conditional_.set(fiber->id, true);
      slot(*fiber).op = in_vain_operation(*fiber);
    }
  undecided_.clear();
}

const Frontier& NativeMachine::frontier() {
  std::vector<Pending>& threads = frontier_.mutable_threads();
  if (__builtin_expect(!undecided_.empty(), 0)) decide();
  bool exits = false;
  conditional_.for_each([&](ThreadId id) {
    const Fiber& fiber = *fibers[id];
    Pending& p = threads[fiber.slot];
    if (p.op.kind == OpKind::kExit) exits = true;
    if (fiber.wait.enabled != nullptr) p.enabled = fiber.wait.enabled(fiber);
    if (fiber.wait.ways != nullptr) p.ways = fiber.wait.ways(fiber);
    if (__builtin_expect(fiber.loop.in_vain, 0))
      p.op = p.enabled ? fiber.pending : in_vain_operation(fiber);
  });
  if (__builtin_expect(exits, 0)) enable_exit();
  if (__builtin_expect(runtime.note_places, 0)) note_places(threads);
  return frontier_;
}

// The process can end when no thread can do anything else. If several threads are about to end it,
// any could be first: one that fails is chosen.
void NativeMachine::enable_exit() {
  std::vector<Pending>& threads = frontier_.mutable_threads();
  Pending* exit = nullptr;
  bool any = false;
  for (Pending& p : threads) {
    if (p.op.kind != OpKind::kExit) {
      any |= p.enabled;
      continue;
    }
    if (exit == nullptr || (exit->op.value == 0 && p.op.value != 0)) exit = &p;
    p.enabled = false;
  }
  exit->enabled = !any;
}

// The step may end the waiting of others, and its thread may be in a loop that waits.
inline void NativeMachine::look_at_loops(Fiber& fiber) {
  const Label& did = runtime.event.label;
  if (__builtin_expect(anchored_loops != 0 || has_endless_loops(), 0))
    loops_see(runtime.event, steps_);
  if (__builtin_expect(standard_locks_on, 0)) loop_locks(fiber, did);
  if (!fiber.live) return;
  const bool changed = runtime.changed || !changed_nothing(did);
  if (__builtin_expect(changed || runtime.wrote_shown, 1)) loop_changes(fiber);
  if (changed) fiber.loop.forget();
  if (__builtin_expect(fiber.loop.anchored, 0)) {
    fiber.loop.wrote_shown |= runtime.wrote_shown;
    fiber.loop.touched |= runtime.touched;
  } else if (loop_passes(fiber)) {
    return;
  }
  const bool waits = loop_arrives(fiber, did, steps_);
  if (__builtin_expect(fiber.loop.undecided, 0)) undecided_.push_back(&fiber);
  if (!waits) return;
  Pending& pending = slot(fiber);
  pending.op = fiber.loop.in_vain ? in_vain_operation(fiber) : fiber.pending;
  conditional_.set(fiber.id, true);
}

const Event& NativeMachine::run(Step step) {
  Event& event = runtime.event;
  Fiber* fiber = find_fiber(step.thread);
  has_failure_ = false;
  event.thread = step.thread;
  event.choice = step.choice;
  event.ways = 1;
  if (__builtin_expect(fiber == nullptr || !fiber->live, 0)) {
    event.label = Label{};
    failed(FailureKind::kUnsupported, "the schedule did not replay: a thread is missing", {});
    return event;
  }
  if (fiber->wait.ways != nullptr) event.ways = fiber->wait.ways(*fiber);
  static_cast<Operation&>(event.label) = fiber->pending;
  event.label.read = event.label.written = event.label.before = 0;
  event.label.pc = fiber->pc;
  event.label.success = true;
  // A look can be run in vain, too.
  if (__builtin_expect((fiber->wait.enabled != nullptr && !fiber->wait.enabled(*fiber) &&
                        !is_look(fiber->pending)) ||
                           step.choice >= event.ways,
                       0)) {
    failed(FailureKind::kUnsupported, "the schedule did not replay: a thread is blocked", {});
    return event;
  }
  if (runtime.channel != nullptr && steps_ < Channel::kScheduleSize) {
    runtime.channel->schedule[steps_] = step;
    runtime.channel->schedule_size.store(static_cast<std::uint32_t>(steps_ + 1),
                                         std::memory_order_relaxed);
  }
  if (__builtin_expect(runtime.capture_stacks, 0)) event_stacks_.push_back(fiber->call_stack);
  runtime.plain_accesses = 0;
  runtime.look_at = kFirstLook;
  runtime.begun = true;
  ++runtime.hooks;
  fiber->wait = {};
  runtime.changed = runtime.wrote_shown = runtime.touched = false;
  const bool watch = runtime.watch_loops;
  if (__builtin_expect(watch && fiber->loop.anchored, 0)) loop_resumes(*fiber);
  step_begins();
  if (__builtin_expect(note_quiet_writes, 0)) quiet_step_begins();
  resume(*fiber);
  if (__builtin_expect(runtime.in_block, 0)) end_open_block();
  if (__builtin_expect(watch, 1)) look_at_loops(*fiber);
  ++steps_;
  if (__builtin_expect(race_state.found, 0)) tell_findings();
  return event;
}

Pending& NativeMachine::slot(const Fiber& fiber) { return frontier_.mutable_threads()[fiber.slot]; }

[[gnu::always_inline]] inline void NativeMachine::announce(const Operation& op, const void* pc,
                                                           const Wait& wait) {
  Fiber& fiber = *runtime.current;
  fiber.pending = op;
  fiber.pc = reinterpret_cast<std::uint64_t>(pc);
  fiber.wait = wait;
  const bool conditional =
      wait.enabled != nullptr || wait.ways != nullptr || op.kind == OpKind::kExit;
  conditional_.set(fiber.id, conditional);
  Pending& pending = slot(fiber);
  pending.enabled = true;
  pending.ways = 1;
  pending.op = op;
  pending.pc = fiber.pc;
  if (__builtin_expect(runtime.capture_stacks || runtime.note_places, 0)) {
    PrivateHeapScope scope;
    fiber.call_stack = call_stack(reinterpret_cast<std::uint64_t>(pc));
    Fnv1a place;
    for (const std::uint64_t caller : fiber.call_stack) place.add(caller);
    pending.place = place.value();
  }
}

void NativeMachine::announce_interrupted(const Operation& op, const void* pc, const Wait& wait,
                                         void* sp) {
  runtime.current->sp = sp;
  announce(op, pc, wait);
}

void NativeMachine::thread_created(Fiber& child) {
  PrivateHeapScope scope;
  std::vector<Pending>& threads = frontier_.mutable_threads();
  auto at = threads.end();
  while (at != threads.begin() && (at - 1)->thread > child.id) --at;
  at = threads.insert(at, Pending{.thread = child.id});
  for (auto i = at; i != threads.end(); ++i)
    fiber_of(i->thread).slot = static_cast<std::size_t>(i - threads.begin());
  child.live = true;
  child.ended = child.ending = child.failed = child.joined = false;
  child.children = 0;
  child.wait = {};
  child.waiting_on = nullptr;
  child.woken = false;
  child.spurious_wakeups = child.spurious_failures = 0;
  child.attempts.clear();
  child.timeouts.clear();
  child.cancel_state = child.cancel_type = 0;
  child.cleanup = nullptr;
  child.name[0] = 0;
  child.loop.forget();
  child.loop.standard = {};
  child.loop.waiting = child.loop.woken = child.loop.in_vain = child.loop.undecided = false;
  child.destructors.clear();
  child.keys.clear();
  if (child.id != 0) {
    newborn_.push_back(&child);
    if (__builtin_expect(!threads_seen_, 0)) {
      threads_seen_ = true;
      runtime.channel->threads_seen.store(1, std::memory_order_relaxed);
    }
  }
  note_thread_count(threads.size());
}

void NativeMachine::thread_ended(Fiber& fiber) {
  conditional_.set(fiber.id, false);
  std::vector<Pending>& threads = frontier_.mutable_threads();
  auto at = threads.erase(threads.begin() + static_cast<std::ptrdiff_t>(fiber.slot));
  for (; at != threads.end(); ++at)
    fiber_of(at->thread).slot = static_cast<std::size_t>(at - threads.begin());
  fiber.live = false;
  fiber.ended = true;
  note_thread_count(threads.size());
}

void NativeMachine::process_ended() {
  if (__builtin_expect(leaks_on, 0)) find_leaks();
  finished_ = true;
}

std::optional<std::uint64_t> NativeMachine::local_state(ThreadId thread) {
  const Fiber* fiber = find_fiber(thread);
  if (fiber == nullptr || fiber->failed) return std::nullopt;
  std::uint64_t h =
      mixed(kHashSeed, std::uint64_t{fiber->ended} << 1 | std::uint64_t{fiber->detached});
  h = mixed(h, reinterpret_cast<std::uint64_t>(fiber->result));
  if (note_quiet_writes && !quiet_writes_state(h)) return std::nullopt;
  if (fiber->ended || fiber->ending) return h;
  mix_memory(h, static_cast<const char*>(fiber->sp), fiber->stack + kStackSize);
  const ThreadLocalRange own = thread_local_range(*fiber);
  mix_memory(h, own.begin, static_cast<const char*>(fiber->fs));  // not the control block
  return h;
}

// The events so far are in the trace, except for the one under way. The label of that one is
// complete, because its hook has returned to the program, unless it is an atomic block.
std::int64_t NativeMachine::time_of_current() {
  const PrivateHeapScope scope;
  looked_at_time_ = true;
  const std::size_t known = trace_ == nullptr ? 0 : std::min(steps_, trace_->size());
  for (std::size_t i = time_.events(); i < known; ++i)
    time_.append((*trace_)[static_cast<EventIndex>(i)]);
  if (time_.events() == steps_ && runtime.begun && !runtime.in_block) time_.append(runtime.event);
  return time_.of(runtime.current->id);
}

void NativeMachine::current_sleeps(std::int64_t duration) {
  const PrivateHeapScope scope;
  looked_at_time_ = true;
  time_.sleep(steps_ + (runtime.begun ? 1 : 0), runtime.current->id, duration);
}

ThreadId current_thread() { return runtime.current != nullptr ? runtime.current->id : 0; }

namespace {

// Nobody looks at what the code at this place does: before main, and in the unwinder.
bool unseen(const void* pc) {
  const auto unwinder = reinterpret_cast<std::uint64_t>(pc) - runtime.unwinder_begin;
  return !runtime.running || unwinder < runtime.unwinder_size;
}

Label& unseen_label() {
  static Label nobody_looks;
  nobody_looks = Label{};
  return nobody_looks;
}

// To the scheduler and back, when the announced operation has been chosen.
[[gnu::always_inline]] inline Label& wait_to_be_chosen() {
  leave();
  // The step that fails comes next. Up from here in the debugger is the program.
  if (__builtin_expect(machine->at_step(runtime.stop_at_step), 0)) asm volatile("int3");
  return runtime.event.label;
}

}  // namespace

Label& visible(const Operation& operation, const void* pc, Wait wait) {
  if (__builtin_expect(unseen(pc), 0)) return unseen_label();
  if (__builtin_expect(runtime.in_block, 0)) return visible_in_block(operation, pc, wait);
  machine->announce(operation, pc, wait);
  return wait_to_be_chosen();
}

Label& visible_access(OpKind kind, int order, std::uint32_t size, ObjectId object, const void* pc) {
  const auto operation = [&]() -> Operation {
    return {
        .kind = kind, .order = static_cast<std::uint8_t>(order), .size = size, .object = object};
  };
  if (__builtin_expect(unseen(pc), 0)) return unseen_label();
  if (__builtin_expect(runtime.in_block, 0)) return visible_in_block(operation(), pc, {});
  machine->announce(operation(), pc, {});
  return wait_to_be_chosen();
}

}  // namespace mazur::native
