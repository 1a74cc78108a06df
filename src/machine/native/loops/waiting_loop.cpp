#include "machine/native/loops/waiting_loop.h"

#include <algorithm>
#include <cstring>

#include "machine/native/engine/fiber.h"
#include "machine/native/engine/program_machine.h"
#include "machine/native/loops/anchor.h"
#include "machine/native/loops/kept_memory.h"
#include "machine/native/loops/native_looks.h"
#include "machine/native/loops/round_in_vain.h"
#include "machine/native/loops/seen_time.h"
#include "machine/native/loops/why_not_waiting.h"
#include "machine/native/weak/stored_bytes.h"

namespace mazur::native {

Entry mazur_entry;

namespace {

LoopVisits loop_visits;  // of this execution

// What the thread did last belongs to a round.
void note_in_round(Fiber& fiber, const Label& did, std::uint64_t step) {
  WaitingLoop& loop = fiber.loop;
  if (loop.read_count == 0) loop.looked_value = did.read;
  if (takes_or_gives(did.kind)) {
    if (!loop.locks.note(did, step)) {
      explain_loop(fiber, LoopObstacle::kHolds);
      loop.forget();
    }
  } else if (did.kind != OpKind::kYield && did.kind != OpKind::kFence) {
    loop.locks.last = step;
    loop.read_old = loop.read_old || stored_bytes.has_read_old();
    loop.rewrote =
        loop.rewrote || did.kind == OpKind::kRmw || (did.kind == OpKind::kCas && did.success);
    if (loop.read_count == WaitingLoop::kReads) {
      explain_loop(fiber, LoopObstacle::kReads);
      loop.forget();
    } else {
      loop.reads[loop.read_count++] = {{did.object, did.size}, step};
    }
  }
}

// The thread stands at an operation at which a round may begin, or end. Returns whether it is a look.
bool begins_or_ends_round(Fiber& fiber, const Entry& entry, std::uint64_t step) {
  WaitingLoop& loop = fiber.loop;
  const std::uint64_t place = place_in_loop(fiber, entry);
  const auto end = loop.visits.begin() + static_cast<std::ptrdiff_t>(loop.visit_count);
  // What is taken is given back before the round ends.
  const bool inside = loop.anchored && !loop.locks.taken.empty();
  bool is_look = false;
  if (loop.anchored && place == loop.anchor_place) {
    if (!as_at_anchor(fiber, entry)) {
      explain_loop(fiber, LoopObstacle::kCounter);
      if (++loop.met == loop.patience) set_anchor(fiber, entry, step, loop.patience * 2);
    } else if (starts_waiting(fiber)) {
      loop.visit_count = loop.met = 0;
    } else {
      loop.visit_count = loop.read_count = loop.met = 0;
      loop.start_round();
      if (!loop.undecided) loop.locks.start(step);
    }
  } else if (!inside && (is_learned(place) || std::find(loop.visits.begin(), end, place) != end)) {
    set_anchor(fiber, entry, step);
    is_look = names_look(fiber, entry);
  } else if (!inside) {
    if (loop.visit_count == WaitingLoop::kVisits) loop.visit_count = 0;
    loop.visits[loop.visit_count++] = place;
  }
  if (loop.anchored && takes_or_gives(fiber.pending.kind))
    loop_visits.add(fiber.id, state_name(fiber, entry, place), step + 1);
  return is_look;
}

}  // namespace

void reset_waiting_loops() {
  reset_waiting();
  loop_visits.clear();
  reset_passed_time();
}

void ProgramMachine::let_loops_wait(bool wait) { runtime.stop_in_vain = !wait; }

void loop_changes(const Fiber& fiber) { loop_visits.note_change(fiber.id); }

bool loop_starts(Fiber& fiber) {
  WaitingLoop& loop = fiber.loop;
  const Entry entry = entry_of(fiber);
  if (standard_locks_on) standard_lock_arrives(fiber, entry, nullptr);
  if (entry.sp == 0 || !can_begin_round(fiber.pending.kind)) return false;
  const std::uint64_t place = place_in_loop(fiber, entry);
  if (!is_learned(place)) {
    loop.visits[loop.visit_count++] = place;
    return false;
  }
  set_anchor(fiber, entry, 0);
  if (loop.anchored) loop.parked = loop.anchor;
  return names_look(fiber, entry);
}

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
  ends_waiting(fiber);
}

void loop_locks(Fiber& fiber, const Label& did) {
  standard_lock_arrives(fiber, entry_of(fiber), &did);
}

bool loop_stops(Fiber& fiber, const Trace& trace) {
  const LockRound& round = fiber.loop.locks;
  if (!loop_visits.repeats(fiber.id, round.begin, trace)) return false;
  fiber.loop.undecided = false;
  note_rounds_left_out(fiber, true);
  return stops_for_good(fiber, false);
}

void loop_resumes(Fiber& fiber) {
  WaitingLoop& loop = fiber.loop;
  if (!loop.anchored) return;
  if (loop.waiting) {
    ends_waiting(fiber);
    loop.read_count = 0;
    loop.start_round();
    loop.locks.start(loop.locks.last);
  }
  if (loop.undecided) loop.locks.start(loop.locks.last);
  loop.undecided = false;
  watch_writes_of_step();
  const char* now = anchor_begin(fiber);
  if (std::memcmp(loop.parked.data(), now, loop.parked.size()) == 0) return;
  for (std::size_t i = 0; i < loop.parked.size(); ++i)
    if (loop.parked[i] != now[i] && !stored_bytes.is_old(now + i)) {
      loop.anchor[i] = now[i];
      loop.look = 0;
    }
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
  if (__builtin_expect(knows_loops(), 0) && is_learned(place)) return false;
  if (loop.visit_count == WaitingLoop::kVisits) loop.visit_count = 0;
  loop.visits[loop.visit_count++] = place;
  return true;
}

bool loop_arrives(Fiber& fiber, const Label& did, std::uint64_t step) {
  WaitingLoop& loop = fiber.loop;
  if (__builtin_expect(notes_loops(), 0)) look_for_standard_lock(fiber, entry_of(fiber));
  if (__builtin_expect(loop.standard.has_failed(), 0) && runtime.stop_in_vain &&
      fiber.pending.kind == OpKind::kLock) {
    loop.looked_at = 0;
    return stops_for_good(fiber, false);
  }
  if (loop.anchored) note_in_round(fiber, did, step);
  bool is_look = false;
  if (!can_begin_round(fiber.pending.kind)) {
    if (!can_pass(fiber.pending.kind)) loop.forget();
  } else if (const Entry entry = entry_of(fiber); entry.sp != 0) {
    is_look = begins_or_ends_round(fiber, entry, step);
  }
  if (loop.anchored) loop.parked.assign(anchor_begin(fiber), stack_end(fiber));
  return loop.waiting || is_look;
}

}  // namespace mazur::native
