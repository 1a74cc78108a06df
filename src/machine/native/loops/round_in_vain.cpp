#include "machine/native/loops/round_in_vain.h"

#include <algorithm>
#include <vector>

#include "machine/native/engine/fiber.h"
#include "machine/native/loops/anchor.h"
#include "machine/native/loops/native_looks.h"
#include "machine/native/loops/round_assumptions.h"
#include "machine/native/loops/seen_time.h"
#include "machine/native/loops/why_not_waiting.h"
#include "machine/native/races/race_detector.h"
#include "machine/native/watch/endless_loop.h"
#include "trace/access.h"
#include "trace/blocking/blocking.h"

namespace mazur::native {
namespace {

struct Write {
  Location location;
  std::uint64_t step = 0;
};
// The writes of this execution that end waiting.
std::vector<Write> writes;
std::vector<Fiber*> waiting;

bool overlap(const Location& a, const Location& b) {
  return a.object < b.object + b.size && b.object < a.object + a.size;
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

// The round took something, tried to, or only read. Decides whether it was in vain.
bool stops_in_vain(Fiber& fiber, bool woken) {
  WaitingLoop& loop = fiber.loop;
  if (!loop.locks.taken.empty()) {
    explain_loop(fiber, LoopObstacle::kHolds);
    return false;
  }
  if (!loop.locks.met.empty()) {
    if (loop.wrote_shown) {
      explain_loop(fiber, LoopObstacle::kShownLocals);
      return false;
    }
    rely_on_hidden_stacks();
  }
  if (loop.locks.observed) {
    explain_loop(fiber, LoopObstacle::kSeen);
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
  return stops_for_good(fiber, woken);
}

}  // namespace

bool stops_for_good(Fiber& fiber, bool woken) {
  WaitingLoop& loop = fiber.loop;
  loop.own_wait = fiber.wait;
  loop.in_vain = true;
  loop.woken = woken;
  fiber.wait.enabled = runtime.stop_in_vain ? never : waits_no_more;
  start_waiting(fiber);
  return true;
}

bool starts_waiting(Fiber& fiber) {
  WaitingLoop& loop = fiber.loop;
  note_round_of_look(fiber);
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

void ends_waiting(Fiber& fiber) {
  fiber.loop.waiting = fiber.loop.woken = fiber.loop.in_vain = false;
  std::erase(waiting, &fiber);
}

void reset_waiting() {
  writes.clear();
  waiting.clear();
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
