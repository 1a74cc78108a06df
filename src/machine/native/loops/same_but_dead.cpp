#include "machine/native/loops/same_but_dead.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "machine/native/engine/fiber.h"
#include "machine/native/loops/dead_slots.h"
#include "machine/native/loops/round_assumptions.h"
#include "machine/native/loops/waiting_loop.h"
#include "machine/native/memory/private_heap.h"

#define MAZUR_QUIET_HOOKS(size)                       \
  extern "C" void __tsan_read##size(void*);           \
  extern "C" void __tsan_write##size(void*);          \
  extern "C" void __tsan_read_write##size(void*);     \
  extern "C" void __tsan_unaligned_read##size(void*); \
  extern "C" void __tsan_unaligned_write##size(void*);
MAZUR_QUIET_HOOKS(1)
MAZUR_QUIET_HOOKS(2)
MAZUR_QUIET_HOOKS(4)
MAZUR_QUIET_HOOKS(8)
MAZUR_QUIET_HOOKS(16)
#undef MAZUR_QUIET_HOOKS

namespace mazur::native {
namespace {

// In the order of Entry::registers, as instructions number them.
constexpr unsigned kPreserved[] = {3, 5, 12, 13, 14, 15};
static_assert(std::size(kPreserved) == std::tuple_size_v<decltype(Entry::registers)>);
constexpr std::size_t kFramePointer = 1;

// Plain accesses. They are no scheduling points here.
bool is_plain_hook(std::uint64_t function) {
  static void (*const hooks[])(void*) = {__tsan_read1,
                                         __tsan_read2,
                                         __tsan_read4,
                                         __tsan_read8,
                                         __tsan_read16,
                                         __tsan_write1,
                                         __tsan_write2,
                                         __tsan_write4,
                                         __tsan_write8,
                                         __tsan_write16,
                                         __tsan_unaligned_read2,
                                         __tsan_unaligned_read4,
                                         __tsan_unaligned_read8,
                                         __tsan_unaligned_write2,
                                         __tsan_unaligned_write4,
                                         __tsan_unaligned_write8};
  return std::any_of(std::begin(hooks), std::end(hooks), [function](void (*hook)(void*)) {
    return reinterpret_cast<std::uint64_t>(hook) == function;
  });
}

const DeadSlots& dead_at(std::uint64_t pc) {
  const PrivateHeapScope scope;
  static auto& known = *new std::unordered_map<std::uint64_t, DeadSlots>;
  const auto at = known.find(pc);
  if (at != known.end()) return at->second;
  return known.emplace(pc, dead_slots_at(reinterpret_cast<const unsigned char*>(pc), is_plain_hook))
      .first->second;
}

}  // namespace

[[gnu::cold]] bool same_but_dead(const Fiber& fiber, const Entry& entry) {
  const WaitingLoop& loop = fiber.loop;
  const Operation& op = fiber.pending;
  if (op.kind != OpKind::kLoad || runtime.explore_plain) return false;
  const Entry& before = loop.anchor_entry;
  if (entry.registers[kFramePointer] != before.registers[kFramePointer]) return false;
  const DeadSlots& dead = dead_at(fiber.pc);
  for (std::size_t i = 0; i < entry.registers.size(); ++i)
    if (entry.registers[i] != before.registers[i] && (dead.registers >> kPreserved[i] & 1) == 0)
      return false;
  const char* now = reinterpret_cast<const char*>(entry.sp);
  const std::uint64_t frame = entry.registers[kFramePointer];
  auto slot = dead.slots.begin();
  for (std::size_t i = 0; i < loop.anchor.size(); ++i) {
    if (loop.anchor[i] == now[i]) continue;
    const std::uint64_t address = entry.sp + i;
    const auto offset = static_cast<std::int64_t>(address - frame);
    while (slot != dead.slots.end() && slot->end <= offset) ++slot;
    if (slot == dead.slots.end() || offset < slot->begin) return false;
    // What the operation itself reads, and what others may look at, is needed.
    if (address - op.object < op.size || is_looked_at(address)) return false;
  }
  rely_on_hidden_stacks();
  return true;
}

}  // namespace mazur::native
