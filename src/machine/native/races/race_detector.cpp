#include "machine/native/races/race_detector.h"

#include <algorithm>
#include <vector>

#include "machine/native/engine/shared_granules.h"
#include "machine/native/loops/native_looks.h"
#include "machine/native/loops/round_assumptions.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/races/held_locks.h"
#include "machine/native/races/race_report.h"
#include "machine/native/races/suppressions.h"
#include "machine/native/weak/stored_bytes.h"
#include "trace/comparison.h"
#include "trace/fields.h"

// Weak in annotations.cpp: the program may have its own.
extern "C" const char* __tsan_default_suppressions();

namespace mazur::native {

constinit RaceState race_state;

namespace {

// The running thread's records begin with this; race_state.me is 0 instead when every access has to
// go the slow way.
Record64 me = 0;

// How often a thread asked to ignore its reads and writes.
struct Ignored {
  std::uint16_t reads, writes;
};
Ignored ignored[kMaxThreads];
bool any_ignored = false;

struct Range {
  std::uintptr_t begin, end;
};
std::vector<Range>& benign() {
  static auto& list = *new std::vector<Range>;
  return list;
}

// With --races=explore: the part of each thread's stack that other threads have accessed.
Range foreign[kMaxThreads];
bool any_foreign = false;

void note_foreign(ThreadId owner, std::uintptr_t address, std::size_t size) {
  if (!race_state.threads_only) return;
  Range& range = foreign[owner];
  if (range.end == 0) range.begin = address;
  range.begin = std::min(range.begin, address);
  range.end = std::max(range.end, address + size);
  any_foreign = true;
}

void set_me(ThreadId thread) {
  me = Record64{clock_of_thread(thread)} << 32 | Record64{thread} << 16;
  const bool slow =
      race_state.pending || watching || ignored[thread].reads != 0 || ignored[thread].writes != 0;
  race_state.me = slow ? 0 : me;
}

// The access that an operation makes to its object. A primitive's object must be alive: one byte of
// it stands for all. A departure from a barrier and a wake-up no longer touch it.
bool access_of(const Label& label, Access& access) {
  access = {.address = label.object,
            .size = label.size,
            .kind = kAtomic | kRead,
            .pc = reinterpret_cast<const void*>(label.pc)};
  if (is_table_key(label.object)) return false;
  switch (label.kind) {
    case OpKind::kLoad:
      return label.order != kPlainOrder &&
             (race_state.threads_only || !is_observed_assertion(label));
    case OpKind::kStore:
      access.kind |= kWrite;
      return label.order != kPlainOrder;
    case OpKind::kRmw:
    case OpKind::kCas:
    case OpKind::kOnceEnter:
      if (label.success) access.kind |= kWrite;
      return true;
    case OpKind::kOnceLeave:
      access.kind |= kWrite;
      return true;
    case OpKind::kFutexWait:
      return true;
    case OpKind::kLock:
    case OpKind::kTryLock:
    case OpKind::kUnlock:
    case OpKind::kRdLock:
    case OpKind::kWrLock:
    case OpKind::kTryRdLock:
    case OpKind::kTryWrLock:
    case OpKind::kRdUnlock:
    case OpKind::kWrUnlock:
    case OpKind::kSemWait:
    case OpKind::kSemTryWait:
    case OpKind::kSemPost:
    case OpKind::kSemRead:
    case OpKind::kBarrierArrive:
    case OpKind::kCondWait:
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
    case OpKind::kInit:
    case OpKind::kDestroy:
      access.size = 1;
      return true;
    default:
      return false;
  }
}

bool is_benign(const Access& access) {
  for (const Range& range : benign())
    if (access.address < range.end && range.begin < access.address + access.size) return true;
  return false;
}

void on_race(const Access& access, std::uintptr_t granule, Record64 earlier,
             std::uint32_t earlier_pc) {
  if (race_state.threads_only) {
    if (!is_shared_granule(granule >> 3)) note_shared(granule, 8);
  } else if (race_state.reports_races && !is_benign(access)) {
    met_race(access, earlier, earlier_pc);
  }
}

void on_mark(const Access& access, std::uintptr_t granule, Record64 mark, std::uint32_t pc) {
  if (race_state.threads_only && (kind_of(mark) & kFreed) != 0) note_shared(granule, 8);
  met_mark(access, granule, mark, pc);
}

// Records an access within a granule, if that can be done quickly.
[[gnu::always_inline]] inline bool record_quickly(Record64 by, const Access& access) {
  const std::uintptr_t offset = access.address & 7;
  if (access.size == 0 || access.size > 8 || offset + access.size > 8) return false;
  const Record64 bytes = ((Record64{1} << access.size) - 1) << offset;
  const auto pc = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(access.pc));
  return shadow_quickly(by | bytes << 8 | access.kind, access.address, pc);
}

void record(const Access& access) {
  if (__builtin_expect(watching, 0)) watch_access(access);
  if (!record_quickly(me, access)) shadow_access(me, access);
}

void record_access(const Fiber& fiber, const Label& label, bool late) {
  if (Access access; access_of(label, access)) {
    late_access_of = late ? &fiber : nullptr;
    record(access);
    late_access_of = nullptr;
  }
  if (!is_memory(label.kind)) note_held_locks(fiber.id, label);
}

// What was released by a store has the store's step as its name. An update continues what the store
// released that it reads.
ObjectId store_key(StoreRef store) { return ObjectId{3} << 60 | store; }

void apply_by_store(const Fiber& fiber, bool late) {
  const Label& label = runtime.event.label;
  {
    const PrivateHeapScope scope;
    stored_bytes.end(label);
  }
  if (!race_state.on) return;
  const bool has_cell = stored_bytes.epoch() != 0 && !is_once(label.kind);
  const bool has_source = has_cell && stored_bytes.source() != kNoStore;
  if (!has_cell)
    acquire_by(fiber.id, label);
  else if (has_source)
    acquire_from_store(fiber.id, label, store_key(stored_bytes.source()));
  set_me(fiber.id);
  record_access(fiber, label, late);
  if (has_cell) {
    const ObjectId own = store_key(stored_bytes.index());
    if (has_source && label.kind != OpKind::kStore && label.kind != OpKind::kLoad && label.success)
      continue_release(store_key(stored_bytes.source()), own);
    if (release_to_store(fiber.id, label, own)) set_me(fiber.id);
    return;
  }
  if (release_by(fiber.id, label)) set_me(fiber.id);
  // Loads of its first byte read this one.
  if (is_once(label.kind)) continue_release(label.object, store_key(stored_bytes.index()));
}

void apply(const Fiber& fiber, bool late) {
  race_state.pending = false;
  if (__builtin_expect(race_state.by_store, 0)) return apply_by_store(fiber, late);
  const Label& label = runtime.event.label;
  // A plain access. Where those are events, no races are reported, so there is nothing to order.
  // The access itself is recorded by its hook.
  if (label.order == kPlainOrder) return set_me(fiber.id);
  if (!race_state.threads_only || label.kind == OpKind::kJoin) acquire_by(fiber.id, label);
  set_me(fiber.id);
  record_access(fiber, label, late);
  if (race_state.threads_only && label.kind != OpKind::kCreate) return;
  if (release_by(fiber.id, label)) set_me(fiber.id);
}

bool is_access_of_caller(OpKind kind) {
  return kind == OpKind::kLoad || kind == OpKind::kStore || kind == OpKind::kRmw ||
         kind == OpKind::kCas;
}

}  // namespace

void set_up_race_detector(Races races, const char* suppressions) {
  race_state.on = races != Races::kIgnore;
  race_state.reports_races = races == Races::kReport;
  race_state.threads_only = races == Races::kExplore;
  if (!race_state.on) return;
  set_up_shadow();
  add_suppressions(__tsan_default_suppressions());
  if (suppressions[0] != 0) read_suppressions(suppressions);
  shadow_events = {on_race, on_mark};
}

void reset_race_detector() {
  if (!race_state.on) return;
  race_state.stamp = runtime.execution;
  race_state.pending = false;
  forget_candidates();
  reset_shadow(runtime.execution);
  reset_sync_clocks();
  forget_held_locks(0);
  late_access_of = nullptr;
  inside_function = nullptr;
  if (any_ignored) std::fill_n(ignored, kMaxThreads, Ignored{});
  any_ignored = false;
  if (any_foreign) std::fill_n(foreign, kMaxThreads, Range{});
  any_foreign = false;
  benign().clear();
}

void thread_enters(const Fiber& fiber) {
  if (race_state.on) set_me(fiber.id);
}

void thread_left(const Fiber& fiber) {
  if (race_state.pending) apply(fiber, true);
}

void apply_pending() { apply(*runtime.current, !is_access_of_caller(runtime.event.label.kind)); }

void happens_before(const void* key) {
  if (!race_state.on || race_state.threads_only || !runtime.running) return;
  synchronised();
  release_to(runtime.current->id, reinterpret_cast<ObjectId>(key) + 2);
  set_me(runtime.current->id);
}

void happens_after(const void* key) {
  if (!race_state.on || race_state.threads_only || !runtime.running) return;
  synchronised();
  acquire_from(runtime.current->id, reinterpret_cast<ObjectId>(key) + 2);
}

void acquire_key(ThreadId thread, ObjectId key) {
  if (!race_state.threads_only) acquire_from(thread, key);
}

void release_key(ThreadId thread, ObjectId key) {
  if (race_state.threads_only) return;
  release_to(thread, key);
  set_me(thread);
}

void atomic_fence(int order) {
  if (!race_state.on || race_state.threads_only || !runtime.running) return;
  synchronised();
  fence(runtime.current->id, order);
  set_me(runtime.current->id);
}

void ignore_accesses(bool reads, bool begin) {
  if (!race_state.on || race_state.threads_only || !runtime.running) return;
  synchronised();
  Ignored& mine = ignored[runtime.current->id];
  std::uint16_t& depth = reads ? mine.reads : mine.writes;
  if (begin) {
    ++depth;
    any_ignored = true;
  } else if (depth > 0) {
    --depth;
  }
  set_me(runtime.current->id);
}

void benign_race(const void* address, std::size_t size) {
  if (!race_state.on || !runtime.running) return;
  PrivateHeapScope scope;
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  benign().push_back({begin, begin + size});
}

namespace {

[[gnu::noinline]] void access_more_slowly(std::uintptr_t address, std::size_t size, unsigned kind,
                                          const void* pc) {
  if (size == 0) return;
  synchronised();
  if (__builtin_expect(any_ignored, 0)) {
    const Ignored& mine = ignored[runtime.current->id];
    if ((kind & kWrite) != 0 ? mine.writes != 0 : mine.reads != 0) return;
  }
  if (__builtin_expect(atomics_are_relied_on, 0) && (kind & (kWrite | kAtomic)) == kWrite)
    note_plain_change(address, size);
  if (__builtin_expect(looks_are_relied_on, 0) && (kind & (kWrite | kAtomic)) == kWrite)
    note_change_of_look(address, size);
  const ThreadId owner = stack_owner(address);
  if (owner != kNoThread && owner != runtime.current->id) {
    note_foreign_access(address, size);
    if (owner != 0) {
      note_foreign(owner, address, size);
      const Fiber& fiber = fiber_of(owner);
      if (__builtin_expect(fiber.ended && !fiber.failed, 0)) {
        if (race_state.threads_only) note_shared(address, size);
        met_dead_stack({address, size, kind, pc}, owner);
      }
    }
  }
  record({address, size, kind, pc});
}

// In no stack of another thread, and there is nothing special about this thread's accesses.
bool is_ordinary(std::uintptr_t address) {
  return race_state.me != 0 && !plain_changes_matter &&
         (address - runtime.stack < kStackSize || address - kStacks >= kMaxThreads * kStackStride);
}

}  // namespace

[[gnu::noinline, gnu::hot]] void access_slowly(std::uintptr_t address, std::size_t size,
                                               unsigned kind, const void* pc) {
  if (__builtin_expect(is_ordinary(address), 1) &&
      record_quickly(race_state.me, {address, size, kind, pc}))
    return;
  access_more_slowly(address, size, kind, pc);
}

void stack_ends(const void* pc) {
  if (!race_state.threads_only) return;
  Fiber& self = *runtime.current;
  self.ending = true;
  const auto stack = reinterpret_cast<std::uintptr_t>(self.stack);
  if (const auto [begin, size] = shared_part(stack, kStackSize); size != 0)
    visible({.kind = OpKind::kFree, .size = static_cast<std::uint32_t>(size), .object = begin}, pc);
  const Range& used = foreign[self.id];
  if (used.begin >= used.end) return;
  synchronised();
  shadow_access(me, {used.begin, used.end - used.begin, kWrite, pc});
}

// ---- The heap

namespace {
// Only this much at each end of a huge block is marked: the marks take four times its memory.
constexpr std::size_t kMarkedEnd = 4 << 20;

template <typename F>
void both_ends(std::uintptr_t at, std::size_t size, F function) {
  if (size <= 2 * kMarkedEnd) {
    function(at, size);
    return;
  }
  function(at, kMarkedEnd);
  function(at + ((size - kMarkedEnd) & ~std::uintptr_t{7}), kMarkedEnd + (size & 7));
}
}  // namespace

void block_allocated(const void* block, std::size_t size, std::size_t room, std::size_t before) {
  const auto at = reinterpret_cast<std::uintptr_t>(block);
  shadow_mark(at - before, before, kNobody, kRedzone, 0);
  if (room > size) shadow_mark(at + size, room - size, kNobody, kRedzone, 0);
}

void block_freed(const void* block, std::size_t size, const void* pc) {
  if (!runtime.running || size == 0) return;
  synchronised();
  const auto at = reinterpret_cast<std::uintptr_t>(block);
  if (__builtin_expect(atomics_are_relied_on, 0)) note_plain_change(at, size);
  if (__builtin_expect(looks_are_relied_on, 0)) note_change_of_look(at, size);
  const auto where = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pc));
  if (watching) watch_access({at, size, kWrite | kFreed, pc});
  both_ends(at, size, [&](std::uintptr_t from, std::size_t bytes) {
    shadow_access(me, {from, bytes, kWrite | kFreed, pc});
    shadow_mark(from, bytes, me, kFreed | kWrite, where);
  });
}

}  // namespace mazur::native
