#include "machine/native/loops/anchor.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/hash.h"
#include "machine/native/loops/kept_memory.h"
#include "machine/native/loops/same_but_dead.h"
#include "machine/native/loops/why_not_waiting.h"
#include "machine/native/memory/snapshot.h"

namespace mazur::native {

unsigned anchored_loops = 0;

namespace {

std::vector<std::uint64_t> learned;
bool learning = false;

}  // namespace

std::uint64_t place_in_loop(const Fiber& fiber, const Entry& entry) {
  if (!takes_or_gives(fiber.pending.kind)) return fiber.pc;
  return mixed(mixed(fiber.pc, fiber.pending.object), entry.sp);
}

std::uint64_t state_name(const Fiber& fiber, const Entry& entry, std::uint64_t place) {
  std::uint64_t name = mixed(kHashSeed, place);
  for (const std::uint64_t value : entry.registers) name = mixed(name, value);
  mix_memory(name, stack_pointer(entry), stack_end(fiber));
  return name;
}

void note_loops(bool on) { learning = on; }
bool notes_loops() { return learning; }
bool knows_loops() { return !learned.empty(); }

bool is_learned(std::uint64_t place) {
  return std::find(learned.begin(), learned.end(), place) != learned.end();
}

void note_learned_place(std::uint64_t place) {
  if (learning && !is_learned(place)) learned.push_back(place);
}

void note_learned(const WaitingLoop& loop) {
  if (!learning) return;
  note_learned_place(loop.anchor_place);
  if (loop.kept) expect_kept_memory();
}

void set_anchor(Fiber& fiber, const Entry& entry, std::uint64_t step, std::size_t patience) {
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
  if (size > WaitingLoop::kMaxStack) return explain_loop(fiber, LoopObstacle::kDeepStack);
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

}  // namespace mazur::native
