#include "machine/native/loops/waiting_loop.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "machine/native/engine/fiber.h"
#include "machine/native/engine/program_machine.h"
#include "machine/native/engine/shared_granules.h"
#include "machine/native/loops/kept_memory.h"
#include "machine/native/loops/round_assumptions.h"
#include "machine/native/loops/same_but_dead.h"
#include "machine/native/loops/seen_time.h"
#include "machine/native/loops/why_not_waiting.h"
#include "machine/native/memory/snapshot.h"
#include "machine/native/races/race_detector.h"
#include "machine/native/watch/endless_loop.h"
#include "machine/native/weak/stored_bytes.h"
#include "trace/access.h"
#include "trace/blocking/blocking.h"

namespace mazur::native {

Entry mazur_entry;
unsigned anchored_loops = 0;

namespace {

struct Write {
  Location location;
  std::uint64_t step = 0;
};
// The writes of this execution that end waiting.
std::vector<Write> writes;
std::vector<Fiber*> waiting;
// Where loops wait (place_in_loop).
std::vector<std::uint64_t> learned;
bool learning = false;
LoopVisits loop_visits;  // of this execution

bool is_learned(std::uint64_t place) {
  return std::find(learned.begin(), learned.end(), place) != learned.end();
}

// The same for operations in the same state, and mostly another one for others. The functions that
// call pthread_mutex_lock() are called from many places themselves.
std::uint64_t place_in_loop(const Fiber& fiber, const Entry& entry) {
  if (!takes_or_gives(fiber.pending.kind)) return fiber.pc;
  return mixed(mixed(fiber.pc, fiber.pending.object), entry.sp);
}

bool overlap(const Location& a, const Location& b) {
  return a.object < b.object + b.size && b.object < a.object + a.size;
}

char* stack_end(const Fiber& fiber) { return fiber.stack + kStackSize; }
// How the program called the hook that the fiber was left in, if that is known. A note of another
// hook does not fit: it is of another stack, or of frames that are left.
bool is_noted(const Fiber& fiber) {
  constexpr std::uintptr_t kFrames = 1024;  // more than the runtime's own frames take
  return mazur_entry.sp - reinterpret_cast<std::uintptr_t>(fiber.sp) < kFrames;
}
Entry entry_of(const Fiber& fiber) { return is_noted(fiber) ? mazur_entry : Entry{}; }
char* stack_pointer(const Entry& entry) { return reinterpret_cast<char*>(entry.sp); }
char* anchor_begin(const Fiber& fiber) { return stack_end(fiber) - fiber.loop.anchor.size(); }

// A name of the thread's state: where it is, its registers and its stack.
std::uint64_t state_name(const Fiber& fiber, const Entry& entry, std::uint64_t place) {
  std::uint64_t name = mixed(kHashSeed, place);
  for (const std::uint64_t value : entry.registers) name = mixed(name, value);
  mix_memory(name, stack_pointer(entry), stack_end(fiber));
  return name;
}

[[gnu::cold]] void explain(const Fiber& fiber, LoopObstacle what) {
  if (runtime.explains_loops) note_obstacle(what, fiber.id);
}

void set_anchor(Fiber& fiber, const Entry& entry, std::uint64_t step, std::size_t patience = 1) {
  WaitingLoop& loop = fiber.loop;
  loop.forget();
  loop.locks.start(step);
  loop.start_round();
  loop.spared = false;
  loop.anchor_step = step;
  loop.met = 0;
  loop.patience = patience;
  loop.read_count = 0;
  const auto size = static_cast<std::size_t>(stack_end(fiber) - stack_pointer(entry));
  if (size > WaitingLoop::kMaxStack) return explain(fiber, LoopObstacle::kDeepStack);
  loop.anchored = true;
  ++anchored_loops;
  loop.anchor_place = place_in_loop(fiber, entry);
  loop.anchor_entry = entry;
  loop.anchor.assign(stack_pointer(entry), stack_end(fiber));
}

bool as_at_anchor(const Fiber& fiber, const Entry& entry) {
  const WaitingLoop& loop = fiber.loop;
  if (entry.sp != loop.anchor_entry.sp) return false;
  return (entry.registers == loop.anchor_entry.registers &&
          std::memcmp(loop.anchor.data(), stack_pointer(entry), loop.anchor.size()) == 0) ||
         same_but_dead(fiber, entry);
}

// The first and the last step of the round that read some of these bytes.
struct Span {
  std::uint64_t first = 0, last = 0;
};
Span reads_of(const WaitingLoop& loop, const Location& location) {
  Span span{~std::uint64_t{0}, 0};
  for (std::size_t i = 0; i < loop.read_count; ++i) {
    if (!overlap(loop.reads[i].location, location)) continue;
    span.first = std::min(span.first, loop.reads[i].step);
    span.last = std::max(span.last, loop.reads[i].step);
  }
  return span;
}

// Calls visit(step) for the writes to a location after a step.
template <typename Visit>
void for_each_write_after(const Location& location, std::uint64_t step, Visit visit) {
  for (std::size_t i = writes.size(); i-- > 0 && writes[i].step > step;)
    if (overlap(writes[i].location, location)) visit(writes[i].step);
}

bool never(const Fiber&) { return false; }
bool waits_no_more(const Fiber& fiber) {
  const Wait& own = fiber.loop.own_wait;
  return loop_is_woken(fiber) && (own.enabled == nullptr || own.enabled(fiber));
}

void note_learned(const WaitingLoop& loop) {
  if (!learning) return;
  if (!is_learned(loop.anchor_place)) learned.push_back(loop.anchor_place);
  if (loop.kept) expect_kept_memory();
}

void start_waiting(Fiber& fiber) {
  WaitingLoop& loop = fiber.loop;
  loop.waiting = true;
  note_learned(loop);
  waiting.push_back(&fiber);
}

// Whether something that the round has read may be in a data race that a later round would not show.
// The operation that the round began with is in every round. An exchange of what is there already is
// a write, which can race with reads as well.
bool reads_may_race(const Fiber& fiber) {
  const WaitingLoop& loop = fiber.loop;
  if (loop.touched) return true;
  const bool memory = is_memory(fiber.pending.kind);
  const Location own{memory ? fiber.pending.object : 0, memory ? fiber.pending.size : 0};
  for (std::size_t i = 0; i < loop.read_count; ++i) {
    const Location& read = loop.reads[i].location;
    if (read != own && (loop.rewrote || !rely_on_atomics(read.object, read.size))) return true;
  }
  return false;
}

// Stops a thread for good.
bool stop(Fiber& fiber, bool woken) {
  WaitingLoop& loop = fiber.loop;
  loop.own_wait = fiber.wait;
  loop.in_vain = true;
  loop.woken = woken;
  fiber.wait.enabled = runtime.stop_in_vain ? never : waits_no_more;
  start_waiting(fiber);
  return true;
}

// The round took something, tried to, or only read. Decides whether it was in vain.
bool stops_in_vain(Fiber& fiber, bool woken) {
  WaitingLoop& loop = fiber.loop;
  if (!loop.locks.taken.empty()) {
    explain(fiber, LoopObstacle::kHolds);
    return false;
  }
  if (!loop.locks.met.empty()) {
    if (loop.wrote_shown) {
      explain(fiber, LoopObstacle::kShownLocals);
      return false;
    }
    rely_on_hidden_stacks();
  }
  if (loop.locks.observed) {
    explain(fiber, LoopObstacle::kSeen);
    note_learned(loop);
    loop.undecided = true;
    return false;
  }
  // A read in the round may be in a data race with what comes after the loop: one round stays.
  if (runtime.stop_in_vain && !loop.spared && race_state.reports_races && reads_may_race(fiber)) {
    note_learned(loop);
    loop.spared = true;
    return false;
  }
  if (runtime.stop_in_vain) note_rounds_left_out(fiber, false);
  return stop(fiber, woken);
}

// The thread is where it was. Decides whether the round was fruitless, and what it waits for.
bool starts_waiting(Fiber& fiber) {
  WaitingLoop& loop = fiber.loop;
  const bool locks = !loop.locks.met.empty();
  const bool stops = locks || runtime.stop_in_vain;
  const Location own = locks ? Location{} : Location{fiber.pending.object, fiber.pending.size};
  Location others[WaitingLoop::kReads];
  std::size_t count = 0;
  bool woken = loop.read_old;  // there is something else to read
  for (std::size_t i = 0; i < loop.read_count; ++i) {
    const Location& location = loop.reads[i].location;
    if (std::find(others, others + count, location) != others + count) continue;
    const Span span = reads_of(loop, location);
    bool between = false;
    for_each_write_after(location, span.first, [&](std::uint64_t step) {
      between |= step < span.last;
      woken |= step > span.last;
    });
    // Written between two reads of it in this round: the next round may read something else. One
    // that stops for good has no next one.
    if (between && !stops) return false;
    if (location != own) others[count++] = location;
  }
  if (stops) loop.looked_at = locks ? 0 : name_wait_set({others, count});
  if (stops) return stops_in_vain(fiber, woken);
  const ObjectId name = name_wait_set({others, count});
  if (name == 0) return false;
  fiber.pending.object2 = name;
  fiber.wait.enabled = loop_is_woken;
  loop.woken = woken;
  start_waiting(fiber);
  return true;
}

}  // namespace

void reset_waiting_loops() {
  writes.clear();
  waiting.clear();
  loop_visits.clear();
  reset_passed_time();
}

void ProgramMachine::let_loops_wait(bool wait) { runtime.stop_in_vain = !wait; }

void loop_changes(const Fiber& fiber) { loop_visits.note_change(fiber.id); }

void loop_starts(Fiber& fiber) {
  WaitingLoop& loop = fiber.loop;
  const Entry entry = entry_of(fiber);
  if (standard_locks_on) standard_lock_arrives(fiber, entry, nullptr);
  if (entry.sp == 0 || !can_begin_round(fiber.pending.kind)) return;
  const std::uint64_t place = place_in_loop(fiber, entry);
  if (is_learned(place)) {
    set_anchor(fiber, entry, 0);
    if (loop.anchored) loop.parked = loop.anchor;
  } else {
    loop.visits[loop.visit_count++] = place;
  }
}

void note_loops(bool on) { learning = on; }
bool knows_loops() { return !learned.empty(); }

bool loop_is_woken(const Fiber& fiber) { return fiber.loop.woken || runtime.follows_schedule; }

Operation in_vain_operation(const Fiber& fiber) {
  const LockRound& round = fiber.loop.locks;
  if (round.met.empty())
    return {.kind = OpKind::kNever,
            .size = fiber.pending.size,
            .object = fiber.pending.object,
            .object2 = fiber.loop.looked_at,
            .value = kInVain};
  return {.kind = OpKind::kNever, .object = round.met.front().object, .value = kInVain};
}

bool loop_can_go_on(const Fiber& fiber) {
  const Wait& own = fiber.loop.own_wait;
  return own.enabled == nullptr || own.enabled(fiber);
}

void loop_goes_on(Fiber& fiber) {
  WaitingLoop& loop = fiber.loop;
  fiber.wait = loop.own_wait;
  loop.standard.refused = false;
  if (loop.anchored) return;  // then loop_resumes() does the rest
  loop.waiting = loop.woken = loop.in_vain = false;
  std::erase(waiting, &fiber);
}

void loop_locks(Fiber& fiber, const Label& did) {
  standard_lock_arrives(fiber, entry_of(fiber), &did);
}

bool loop_stops(Fiber& fiber, const Trace& trace) {
  const LockRound& round = fiber.loop.locks;
  if (!loop_visits.repeats(fiber.id, round.begin, trace)) return false;
  fiber.loop.undecided = false;
  note_rounds_left_out(fiber, true);
  return stop(fiber, false);
}

void loop_resumes(Fiber& fiber) {
  WaitingLoop& loop = fiber.loop;
  if (!loop.anchored) return;
  if (loop.waiting) {
    loop.waiting = loop.woken = loop.in_vain = false;
    loop.read_count = 0;
    loop.start_round();
    loop.locks.start(loop.locks.last);
    std::erase(waiting, &fiber);
  }
  if (loop.undecided) loop.locks.start(loop.locks.last);
  loop.undecided = false;
  watch_writes_of_step();
  const char* now = anchor_begin(fiber);
  if (std::memcmp(loop.parked.data(), now, loop.parked.size()) == 0) return;
  for (std::size_t i = 0; i < loop.parked.size(); ++i)
    if (loop.parked[i] != now[i] && !stored_bytes.is_old(now + i)) loop.anchor[i] = now[i];
}

[[gnu::hot]] bool loop_passes(Fiber& fiber) {
  WaitingLoop& loop = fiber.loop;
  if (!can_begin_round(fiber.pending.kind)) {
    if (!can_pass(fiber.pending.kind)) loop.visit_count = 0;
    return true;
  }
  if (takes_or_gives(fiber.pending.kind)) return false;
  if (!is_noted(fiber)) return true;
  const std::uint64_t place = fiber.pc;
  for (std::size_t i = 0; i < loop.visit_count; ++i)
    if (loop.visits[i] == place) return false;
  if (__builtin_expect(!learned.empty(), 0) && is_learned(place)) return false;
  if (loop.visit_count == WaitingLoop::kVisits) loop.visit_count = 0;
  loop.visits[loop.visit_count++] = place;
  return true;
}

bool loop_arrives(Fiber& fiber, const Label& did, std::uint64_t step) {
  WaitingLoop& loop = fiber.loop;
  if (__builtin_expect(learning, 0)) look_for_standard_lock(fiber, entry_of(fiber));
  if (__builtin_expect(loop.standard.has_failed(), 0) && runtime.stop_in_vain &&
      fiber.pending.kind == OpKind::kLock) {
    loop.looked_at = 0;
    return stop(fiber, false);
  }
  if (loop.anchored && takes_or_gives(did.kind)) {
    if (!loop.locks.note(did, step)) {
      explain(fiber, LoopObstacle::kHolds);
      loop.forget();
    }
  } else if (loop.anchored && did.kind != OpKind::kYield && did.kind != OpKind::kFence) {
    loop.locks.last = step;
    loop.read_old = loop.read_old || stored_bytes.has_read_old();
    loop.rewrote =
        loop.rewrote || did.kind == OpKind::kRmw || (did.kind == OpKind::kCas && did.success);
    if (loop.read_count == WaitingLoop::kReads) {
      explain(fiber, LoopObstacle::kReads);
      loop.forget();
    } else {
      loop.reads[loop.read_count++] = {{did.object, did.size}, step};
    }
  }
  if (!can_begin_round(fiber.pending.kind)) {
    if (!can_pass(fiber.pending.kind)) loop.forget();
  } else if (const Entry entry = entry_of(fiber); entry.sp != 0) {
    const std::uint64_t place = place_in_loop(fiber, entry);
    const auto end = loop.visits.begin() + static_cast<std::ptrdiff_t>(loop.visit_count);
    // What is taken is given back before the round ends.
    const bool inside = loop.anchored && !loop.locks.taken.empty();
    if (loop.anchored && place == loop.anchor_place) {
      if (!as_at_anchor(fiber, entry)) {
        explain(fiber, LoopObstacle::kCounter);
        if (++loop.met == loop.patience) set_anchor(fiber, entry, step, loop.patience * 2);
      } else if (starts_waiting(fiber)) {
        loop.visit_count = loop.met = 0;
      } else {
        loop.visit_count = loop.read_count = loop.met = 0;
        loop.start_round();
        if (!loop.undecided) loop.locks.start(step);
      }
    } else if (!inside &&
               (is_learned(place) || std::find(loop.visits.begin(), end, place) != end)) {
      set_anchor(fiber, entry, step);
    } else if (!inside) {
      if (loop.visit_count == WaitingLoop::kVisits) loop.visit_count = 0;
      loop.visits[loop.visit_count++] = place;
    }
    if (loop.anchored && takes_or_gives(fiber.pending.kind))
      loop_visits.add(fiber.id, state_name(fiber, entry, place), step + 1);
  }
  if (loop.anchored) loop.parked.assign(anchor_begin(fiber), stack_end(fiber));
  return loop.waiting;
}

void loops_see(const Event& event, std::uint64_t step) {
  const Label& did = event.label;
  if (looks_for_locks(did))
    for (ThreadId id = 0; id < known_threads(); ++id) {
      Fiber* fiber = find_fiber(id);
      if (fiber != nullptr && fiber->live && id != event.thread && fiber->loop.anchored)
        fiber->loop.locks.observed |= fiber->loop.locks.is_seen_by(did);
    }
  // A round in vain wakes nobody, or two threads that look under one lock would wake each other.
  if (takes_or_gives(did.kind) && !waiting.empty()) {
    const Fiber* by = find_fiber(event.thread);
    for (Fiber* fiber : waiting)
      if (fiber->loop.in_vain && (by == nullptr || !by->loop.anchored) &&
          fiber->loop.locks.met_what_is_given(did))
        fiber->loop.woken = true;
  }
  if (!wakes(did)) return;
  for (const mazur::Access& access : accesses(did)) {
    if (access.space != Space::kMemory || access.mode != mode::kWrite) continue;
    const Location location{access.object, access.size};
    if (has_endless_loops()) endless_loops_see(location.object, location.size);
    writes.push_back({location, step});
    for (Fiber* fiber : waiting) {
      const Operation& op = fiber->pending;
      if (fiber->loop.in_vain) {
        fiber->loop.woken = fiber->loop.woken || reads_of(fiber->loop, location).last != 0;
        continue;
      }
      bool met = overlap(location, {op.object, op.size});
      if (op.object2 != kOwnLocation)
        for (const Location& other : wait_set(op.object2)) met = met || overlap(location, other);
      fiber->loop.woken = fiber->loop.woken || met;
    }
  }
}

}  // namespace mazur::native
