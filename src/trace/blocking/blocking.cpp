#include "trace/blocking/blocking.h"

#include <algorithm>

#include "trace/atomic_block/block.h"
#include "trace/blocking/look.h"
#include "trace/blocking/memory_value.h"
#include "trace/blocking/subsets.h"
#include "trace/dependence.h"
#include "trace/wait_set.h"

namespace mazur {
namespace {

// Whether it released the mutex. Only an atomic block can have released another one: otherwise the
// two would not be in a race.
bool is_mutex_release(const Label& l, ObjectId mutex) {
  if (l.kind == OpKind::kAtomicBlock) return releases_mutex(l, mutex);
  return l.kind == OpKind::kUnlock || l.kind == OpKind::kCondWait;
}

// Whether the event, which is in a race with the operation, is a release without which the
// operation could not run. For operations that wait for something else this says false.
bool was_waited_for(const Label& event, const Operation& op) {
  switch (op.kind) {
    case OpKind::kLock:
      return is_mutex_release(event, op.object);
    case OpKind::kCondWake:
      return is_mutex_release(event, mutex_of(op));
    case OpKind::kRdLock:
    case OpKind::kWrLock:
      return event.kind == OpKind::kRdUnlock || event.kind == OpKind::kWrUnlock;
    case OpKind::kOnceEnter:
      return event.kind == OpKind::kOnceLeave;
    case OpKind::kBarrierDepart:
    case OpKind::kJoin:
      return true;
    default:
      return false;
  }
}

// The signal that ended the wait whose wake-up is (or would be) at `end`, or kNoEvent.
EventIndex waking(const Trace& trace, const Waiting& w) {
  const EventIndex s = trace.history().last_waking(w.op.object, w.thread, w.end);
  // An older signal ended an older wait.
  return s != kNoEvent && w.program_predecessor != kNoEvent && s > w.program_predecessor ? s
                                                                                         : kNoEvent;
}

// How many readers hold the lock before position f.
int readers_before(const Trace& trace, const Label& lock, EventIndex f) {
  int readers = 0;
  Label all = lock;
  all.kind = OpKind::kWrLock;
  trace.history().conflicts_after(all, kNoEvent, [&](EventIndex x) {
    if (x >= f) return true;
    if (trace[x].label.kind == OpKind::kRdUnlock) --readers;
    if (is_read_lock(trace[x].label)) ++readers;
    return true;
  });
  return readers;
}

// The last event of f's thread before f that touches the location: there the thread read it.
EventIndex last_read(const Trace& trace, EventIndex f, const Location& location) {
  const Access read{Space::kMemory, mode::kRead, location.size, location.object};
  const std::span<const EventIndex> own = trace.events_of(trace.thread(f));
  for (std::size_t i = trace.place(f); i-- > 0;)
    for (const Access& access : accesses(trace[own[i]].label))
      if (access.space == Space::kMemory && overlapping(access, read)) return own[i];
  return kNoEvent;
}

// f begins a round of a loop. Whether that was enabled without e: by another write to one of the
// locations, since the thread read that location, which does not happen after e.
bool woken_without(const HappensBefore& before, EventIndex e, EventIndex f) {
  const Trace& trace = before.trace;
  const ThreadId thread = trace.thread(f);
  Label reads;
  reads.kind = OpKind::kLoad;
  const auto found = [&](const Location& location) {
    reads.object = location.object;
    reads.size = location.size;
    return !trace.history().conflicts_after(
        reads, last_read(trace, f, location), [&](EventIndex x) {
          return x >= f || trace.thread(x) == thread || before(e, x) || !wakes(trace[x].label);
        });
  };
  const Label& loop = trace[f].label;
  if (found({loop.object, loop.size})) return true;
  if (!reads_other_locations(loop)) return false;
  const std::span<const Location> others = wait_set(waits_for(loop));
  return std::any_of(others.begin(), others.end(), found);
}

// What an operation does if it comes before its object begins or ends. Around such an event nobody
// holds the object or waits at it; otherwise the event is an error, and has changed nothing.
Event without_life(const Label& life, Event event) {
  Label& b = event.label;
  if (b.kind == OpKind::kSemTryWait) b.success = count_before(life) != 0;
  if (b.kind == OpKind::kBarrierArrive) {
    b.success = was_alive(life);
    b.written = next_phase(life);
  }
  if (is_signal(b.kind)) {
    event.choice = 0;
    forget_woken(b);
  }
  return event;
}

}  // namespace

bool wakes(const Label& l) {
  if (!writes_memory(l)) return false;
  if (l.kind != OpKind::kRmw && l.kind != OpKind::kCas) return true;
  return l.size > 8 || l.written != l.before;
}

bool reversible(const Trace& trace, EventIndex e, EventIndex f, const std::uint32_t* clocks) {
  const Label& a = trace[e].label;
  const Label& b = trace[f].label;
  if (was_waited_for(a, b)) return false;
  switch (b.kind) {
    case OpKind::kSemWait:
      if (is_life(a.kind)) return count_before(a) != 0;
      return a.kind != OpKind::kSemPost || count_before(b) >= 2;
    case OpKind::kCondWake:
    case OpKind::kFutexWoken:
      return b.timed || !is_signal(a.kind);
    case OpKind::kAwait:
      return !writes_memory(a) || await_holds_without(trace, e, f);
    case OpKind::kLoad:
      if (is_look(b)) return look_holds_without(trace, e, f);
      [[fallthrough]];
    case OpKind::kRmw:
    case OpKind::kCas:
      return waits_for(b) == 0 ||
             woken_without({trace, clocks != nullptr ? clocks : trace.clocks()}, e, f);
    case OpKind::kReceive:
      // Without its message it would wait, because all others came after that one. A timed one
      // would not wait.
      return b.timed || taken_message(b) != sent_message(a);
    default:
      return true;
  }
}

bool may_be_co_enabled(const Event& e, ThreadId thread, const Operation& next) {
  const Label& a = e.label;
  if (was_waited_for(a, next)) return false;
  switch (next.kind) {
    case OpKind::kCondWake:
    case OpKind::kFutexWoken:
      return next.timed || !is_signal(a.kind) || (woken_threads(a) & woken_bit(thread)) == 0;
    case OpKind::kReceive:
      // If a message is there already, the next one makes no difference. If none is, it waits.
      return next.timed;
    default:
      return true;
  }
}

bool is_guess(const Trace& trace, EventIndex e, EventIndex f) {
  const Label& a = trace[e].label;
  const Label& b = trace[f].label;
  if (b.kind != OpKind::kCas && b.kind != OpKind::kFutexWait) return false;
  return a.kind != OpKind::kAtomicBlock && a.size > 8 && b.object + b.size > a.object + 8 &&
         writes_memory(a);
}

Event after_reversal(const Trace& trace, EventIndex e, EventIndex f) {
  const Label& a = trace[e].label;
  Event event = trace[f];
  Label& b = event.label;
  if (is_life(a.kind)) return without_life(a, event);
  switch (b.kind) {
    case OpKind::kCas:
    case OpKind::kFutexWait:
      if (writes_memory(a))
        b.success =
            is_guess(trace, e, f) || value_without(trace, e, f) == truncated(expected(b), b.size);
      break;
    case OpKind::kTryLock:
      if (a.kind == OpKind::kTryLock && !acquired(a)) break;
      b.success = !is_mutex_release(a, b.object);
      break;
    case OpKind::kTryRdLock:
      if (!was_dead(b)) b.success = a.kind != OpKind::kWrUnlock;
      break;
    case OpKind::kTryWrLock:
      if (was_dead(b)) break;  // and stays so, whoever else tries
      if (a.kind == OpKind::kWrLock || (a.kind == OpKind::kTryWrLock && acquired(a)))
        b.success = true;
      else if (a.kind == OpKind::kWrUnlock || a.kind == OpKind::kRdUnlock)
        b.success = false;
      else if (a.kind == OpKind::kRdLock || (a.kind == OpKind::kTryRdLock && acquired(a)))
        b.success = readers_before(trace, b, f) == 1;
      break;
    case OpKind::kSemTryWait:
      if (a.kind == OpKind::kSemPost) b.success = count_before(b) >= 2;
      if (a.kind == OpKind::kSemWait || (a.kind == OpKind::kSemTryWait && acquired(a)))
        b.success = true;
      break;
    case OpKind::kCondWake:
    case OpKind::kFutexWoken:
      if (is_signal(a.kind) && (woken_threads(a) & woken_bit(event.thread)) != 0) b.success = false;
      break;
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
    case OpKind::kFutexWake:
      event.choice = 0;
      forget_woken(b);
      break;
    case OpKind::kBarrierArrive:
      if (a.kind == OpKind::kBarrierArrive) b.written = arrival_phase(a);
      break;
    case OpKind::kReceive:
      if (taken_message(b) != 0 && taken_message(b) == sent_message(a)) take_no_message(b);
      break;
    case OpKind::kAtomicBlock:
      // What it touches may depend on the values that it reads without e.
      if (reads_from(b, a)) forget_accesses(b);
      break;
    default:
      break;
  }
  return event;
}

Waiting waiting(const Trace& trace, EventIndex f) {
  return {.thread = trace.thread(f),
          .op = trace[f].label,
          .program_predecessor = trace.program_predecessor(f),
          .end = f,
          .holds = 3};
}

Waiting waiting(const Trace& trace, ThreadId thread, const Operation& op, std::uint8_t holds) {
  EventIndex before = trace.last_of(thread);
  if (before == kNoEvent) before = trace.creation_of(thread);
  return {.thread = thread,
          .op = op,
          .program_predecessor = before,
          .end = static_cast<EventIndex>(trace.size()),
          .holds = holds};
}

bool disabling_races(const Trace& trace, const Waiting& w, Disabled found) {
  if (w.op.kind == OpKind::kWrLock) return writer_races(trace, w, found);
  if (w.op.kind == OpKind::kAwait) return await_races(trace, w, found);
  if (is_look(w.op)) return look_races(trace, w, found), true;
  const EventIndex e =
      w.end < trace.size() ? trace.last_disabler(w.end) : trace.history().last_disabler(w.op);
  if (e == kNoEvent || trace.thread(e) == w.thread) return true;
  const HappensBefore before{trace, w.clocks != nullptr ? w.clocks : trace.clocks()};
  if (w.program_predecessor != kNoEvent && before(e, w.program_predecessor)) return true;
  Event step{.thread = w.thread, .choice = 0, .ways = 1, .label = {}};
  static_cast<Operation&>(step.label) = w.op;
  if (w.op.kind == OpKind::kCondWake) {
    const EventIndex signal = waking(trace, w);
    const bool signalled = signal != kNoEvent && !before(e, signal);
    if (!signalled && !w.op.timed) return true;
    step.label.success = signalled;
  }
  found({&e, 1}, step);
  return true;
}

}  // namespace mazur
