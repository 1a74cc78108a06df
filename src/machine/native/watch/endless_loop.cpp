#include "machine/native/watch/endless_loop.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "base/hash.h"
#include "machine/native/engine/native_machine.h"
#include "machine/native/engine/shared_granules.h"
#include "machine/native/loops/waiting_loop.h"
#include "machine/native/memory/arena.h"
#include "machine/native/memory/large_blocks.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/memory/snapshot.h"

namespace mazur::native {
namespace {

constexpr std::uint64_t kLookedAt = 200'000;  // accesses, each time

struct Look {
  std::uint64_t end = 0;        // by then nothing was found
  bool changed_before = false;  // runtime.changed apart from the round
  bool anchored = false;
  const void* pc = nullptr;
  Entry entry;
  std::vector<char> stack;  // from the stack pointer to the end
  std::uint64_t met = 0, patience = 1;
  bool again = false;  // a round has ended as it began, with this in memory
  std::uint64_t memory = 0;
  Location reads[WaitingLoop::kReads];
  std::size_t read_count = 0;
  bool all_reads = true;
};
Look& now() {
  static auto& one = *new Look;
  return one;
}

// What the threads that stay in their loops read.
std::vector<Location>& left_reads() {
  static auto& list = *new std::vector<Location>;
  return list;
}
bool was_left_behind = false;

const char* stack_end() { return runtime.current->stack + kStackSize; }

void watch(std::uint8_t what, bool on) {
  mazur_watch_plain = static_cast<std::uint8_t>((mazur_watch_plain & ~what) | (on ? what : 0));
}

void begin_round(const void* pc, const Entry& entry, std::uint64_t patience) {
  Look& look = now();
  const char* begin = reinterpret_cast<const char*>(entry.sp);
  look.anchored = static_cast<std::size_t>(stack_end() - begin) <= WaitingLoop::kMaxStack;
  if (!look.anchored) return;
  look.changed_before = look.changed_before || runtime.changed;
  runtime.changed = false;
  look.pc = pc;
  look.entry = entry;
  look.stack.assign(begin, stack_end());
  look.met = 0;
  look.patience = patience;
  look.again = false;
  look.read_count = 0;
  look.all_reads = true;
}

bool as_it_began(const Entry& entry) {
  const Look& look = now();
  return entry.sp == look.entry.sp && entry.registers == look.entry.registers &&
         std::memcmp(look.stack.data(), reinterpret_cast<const char*>(entry.sp),
                     look.stack.size()) == 0;
}

void note_read(const Location& location) {
  Look& look = now();
  Location* const end = look.reads + look.read_count;
  if (std::find(look.reads, end, location) != end) return;
  if (look.read_count == WaitingLoop::kReads)
    look.all_reads = false;
  else
    look.reads[look.read_count++] = location;
}

// A fingerprint of all memory; nothing if there is too much of it.
std::optional<std::uint64_t> fingerprint() {
  std::uint64_t hash = kHashSeed;
  if (!mix_large_blocks(hash)) return std::nullopt;
  mix_snapshot(hash);
  mix_arenas(hash);
  const ThreadLocalRange own = thread_local_range(*runtime.current);
  mix_memory(hash, own.begin, static_cast<const char*>(runtime.current->fs));
  return hash;
}

bool never(const Fiber&) { return false; }

Operation forever(ObjectId object) {
  return {.kind = OpKind::kNever, .object = object, .value = kForever};
}

[[noreturn]] void stay_in_loop(const void* pc) {
  const Look& look = now();
  const auto is_own = [](const Location& l) { return l.object - runtime.stack < kStackSize; };
  const Location* const end = look.reads + look.read_count;
  const Location* what = std::find_if_not(look.reads, end, is_own);
  if (what == end) what = look.reads;
  stop_looking();
  if (runtime.explore_plain && shared_can_grow() && look.read_count != 0) {
    for (const Location* l = look.reads; l != end; ++l) note_shared(l->object, l->size);
    give_up_execution();
  }
  {
    const PrivateHeapScope scope;
    left_reads().insert(left_reads().end(), look.reads, end);
  }
  watch(kWatchLeft, true);
  visible(forever(look.read_count == 0 ? 0 : what->object), pc, {.enabled = never});
  __builtin_unreachable();
}

}  // namespace

void start_looking() {
  runtime.look_at = 2 * runtime.plain_accesses;
  if (!runtime.watch_loops || runtime.in_block) return;
  Look& look = now();
  look.end = runtime.plain_accesses + kLookedAt;
  look.anchored = look.changed_before = false;
  watch(kWatchLoop, true);
}

void stop_looking() {
  if ((mazur_watch_plain & kWatchLoop) == 0) return;
  watch(kWatchLoop, false);
  runtime.changed = runtime.changed || now().changed_before;
}

void look(std::uintptr_t address, std::size_t size, bool writes, const void* pc) {
  Look& look = now();
  if (runtime.plain_accesses >= look.end || runtime.in_block) return stop_looking();
  const PrivateHeapScope scope;
  const Entry entry = mazur_entry;
  if (entry.sp != 0 && !look.anchored) {
    begin_round(pc, entry, 1);
  } else if (entry.sp != 0 && pc == look.pc) {
    if (!as_it_began(entry) || runtime.changed) {
      if (++look.met == look.patience) begin_round(pc, entry, 2 * look.patience);
    } else {
      const std::optional<std::uint64_t> memory = fingerprint();
      if (!memory) return stop_looking();
      if (look.again && memory == look.memory && look.all_reads) {
        PrivateHeapScope::reset();
        stay_in_loop(pc);
      }
      if (look.again && memory != look.memory) return stop_looking();
      look.again = true;
      look.memory = *memory;
    }
  }
  if (look.anchored && !writes) note_read({address, static_cast<std::uint32_t>(size)});
}

void stays_for_ever(const void* pc, void* stack_pointer) {
  stop_looking();
  machine->announce_interrupted(forever(0), pc, {.enabled = never}, stack_pointer);
  abandon();
}

void endless_loops_see(std::uintptr_t address, std::size_t size) {
  for (const Location& l : left_reads())
    was_left_behind = was_left_behind || (address < l.object + l.size && l.object < address + size);
}

bool left_behind() { return was_left_behind; }

void forget_endless_loops() {
  if (mazur_watch_plain == 0 && !was_left_behind) return;
  stop_looking();
  watch(kWatchLeft, false);
  left_reads().clear();
  was_left_behind = false;
}

}  // namespace mazur::native
