#include "machine/native/loops/native_looks.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/hash.h"
#include "machine/native/engine/fiber.h"
#include "machine/native/engine/native_machine.h"
#include "machine/native/engine/program_machine.h"
#include "machine/native/loops/anchor.h"
#include "machine/native/memory/private_heap.h"
#include "trace/blocking/look.h"

namespace mazur::native {

bool looks_are_relied_on = false;

namespace {

bool looks_on = false;  // of this exploration
bool looks_given_up = false;
bool looks_are_wrong = false;
// What looks read in the trial runs. Not part of the snapshot.
std::vector<Location> known_looks;

bool is_of_known_look(const Location& location) {
  return std::find(known_looks.begin(), known_looks.end(), location) != known_looks.end();
}

Location location_of(const Operation& op) { return {op.object, op.size}; }

std::uint64_t value_at(const Operation& look) {
  std::uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(look.object), look.size);
  return value;
}

// Since it stood there, the thread has done nothing that others or itself could see.
bool did_nothing_else(const WaitingLoop& loop) {
  return loop.locks.met.empty() && !loop.touched && !loop.wrote_shown && !loop.kept &&
         !loop.rewrote && !loop.slept && !loop.read_old;
}

// The look, which read this there, was in vain.
void note(const WaitingLoop& loop, const Location& location, std::uint64_t read, Look what) {
  note_look(loop.look, read, what);
  if (!notes_loops() || is_of_known_look(location)) return;
  constexpr std::size_t kMost = 64;
  if (known_looks.size() == kMost) return;
  const PrivateHeapScope scope;
  known_looks.push_back(location);
  looks_are_relied_on = plain_changes_matter = true;
}

// What is known of the look that the thread stands at, with what memory holds now. Nothing if others have
// written to the thread's stack since it came there.
Look look_now(const Fiber& fiber) {
  const WaitingLoop& loop = fiber.loop;
  const bool is_where_it_was =
      std::memcmp(loop.parked.data(), anchor_begin(fiber), loop.parked.size()) == 0;
  return is_where_it_was ? known_look(fiber.pending.value, value_at(fiber.pending))
                         : Look::kUnknown;
}

// Wait::enabled of a look.
bool is_enabled(const Fiber& fiber) {
  const Look look = look_now(fiber);
  machine->note_assumed(fiber, look == Look::kAssumed);
  return look == Look::kUnknown;
}

}  // namespace

void ProgramMachine::know_looks(bool on) { looks_on = on; }

bool names_look(Fiber& fiber, const Entry& entry) {
  Operation& op = fiber.pending;
  const bool learns = notes_loops();
  const bool is_one = fiber.loop.anchored && op.kind == OpKind::kLoad && op.size <= 8 &&
                      op.order <= __ATOMIC_SEQ_CST && !is_table_key(op.object) && !looks_given_up &&
                      !runtime.explore_plain && !runtime.in_block && !runtime.follows_schedule;
  if (!is_one || !(learns || (looks_on && runtime.stop_in_vain))) return false;
  if (!learns && !is_of_known_look(location_of(op))) return false;
  std::uint64_t state = state_name(fiber, entry, fiber.loop.anchor_place);
  state = mixed(mixed(state, op.object), op.size);
  fiber.loop.look = name_look(state);
  if (learns || fiber.loop.look == 0) return false;
  op.value = fiber.loop.look;
  fiber.wait.enabled = is_enabled;
  return true;
}

void note_round_of_look(const Fiber& fiber) {
  const WaitingLoop& loop = fiber.loop;
  if (loop.look != 0 && loop.read_count == 1 && did_nothing_else(loop))
    note(loop, loop.reads[0].location, loop.looked_value, Look::kInVain);
}

void note_failed_assume() {
  const PrivateHeapScope scope;
  const Fiber& fiber = *runtime.current;
  const WaitingLoop& loop = fiber.loop;
  const Label& did = runtime.event.label;
  const bool is_only_a_look = runtime.begun && runtime.event.thread == fiber.id &&
                              did.kind == OpKind::kLoad && !runtime.changed && !runtime.touched &&
                              !runtime.wrote_shown;
  if (!is_only_a_look) return;
  if (loop.anchored && loop.look != 0 && loop.read_count == 0 && did_nothing_else(loop))
    note(loop, {did.object, did.size}, did.read, Look::kAssumed);
  else if (loop.visit_count != 0 && loop.visits[loop.visit_count - 1] == did.pc)
    note_learned_place(did.pc);
}

void note_change_of_look(std::uintptr_t address, std::size_t size) {
  if (looks_given_up) return;
  const auto is_changed = [&](const Location& l) {
    return l.object < address + size && address < l.object + l.size;
  };
  if (std::none_of(known_looks.begin(), known_looks.end(), is_changed) || is_alone()) return;
  looks_given_up = looks_are_wrong = true;
}

bool looks_failed() { return looks_are_wrong; }

void look_again(bool give_up) {
  looks_are_wrong = false;
  looks_given_up = looks_given_up || give_up;
}

}  // namespace mazur::native
