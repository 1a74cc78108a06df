#include "machine/native/races/sync_clocks.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "machine/native/engine/fiber.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/memory/raw.h"

namespace mazur::native {

ThreadClocks thread_clocks[kMaxThreads];

namespace {

// ---- What was released to an object. Found by address in a table that is never cleared: an entry
// counts only if it carries the number of this execution. The vectors lie in a pool that starts
// again with every execution.

struct SyncObject {
  ObjectId key = 0;
  std::uint32_t stamp = 0;
  std::uint32_t size = 0;  // threads in `released`; beyond it everything is 0
  std::uint32_t capacity = 0;
  Clock* released = nullptr;
};

constexpr std::size_t kPoolSize = std::size_t{64} << 30;  // reserved, not committed

std::uint32_t execution = 0;
SyncObject* table = nullptr;
std::size_t table_size = 0;
std::size_t table_used = 0;
char* pool = nullptr;
char* pool_next = nullptr;

Clock* pool_vector(std::size_t threads) {
  auto* vector = reinterpret_cast<Clock*>(pool_next);
  pool_next += threads * sizeof(Clock);
  if (pool_next > pool + kPoolSize) die("the vector clocks of one execution fill 64 GB");
  return vector;
}

std::size_t place_of(ObjectId key) {
  return static_cast<std::size_t>(spread(key) >> 20) & (table_size - 1);
}

SyncObject* look_up(ObjectId key) {
  for (std::size_t i = place_of(key);; i = (i + 1) & (table_size - 1)) {
    if (table[i].stamp != execution) return nullptr;
    if (table[i].key == key) return &table[i];
  }
}

void grow_table() {
  SyncObject* old = table;
  const std::size_t old_size = table_size;
  table_size = old_size == 0 ? 1024 : old_size * 2;
  table = static_cast<SyncObject*>(private_allocate(table_size * sizeof(SyncObject)));
  std::fill_n(table, table_size, SyncObject{});
  for (std::size_t i = 0; i < old_size; ++i) {
    if (old[i].stamp != execution) continue;
    std::size_t at = place_of(old[i].key);
    while (table[at].stamp == execution) at = (at + 1) & (table_size - 1);
    table[at] = old[i];
  }
  if (old != nullptr) private_free(old);
}

SyncObject& look_up_or_add(ObjectId key) {
  if (SyncObject* found = look_up(key)) return *found;
  if (2 * ++table_used > table_size) grow_table();
  std::size_t at = place_of(key);
  while (table[at].stamp == execution) at = (at + 1) & (table_size - 1);
  table[at] = SyncObject{.key = key, .stamp = execution};
  return table[at];
}

std::uint32_t threads_now() { return known_threads(); }

// ---- Vectors

void join(Clock* into, const Clock* from, std::uint32_t size) {
  for (std::uint32_t i = 0; i < size; ++i) into[i] = std::max(into[i], from[i]);
}

// A loop, because vectors are short.
void copy(Clock* into, const Clock* from, std::uint32_t size) {
  for (std::uint32_t i = 0; i < size; ++i) into[i] = from[i];
}

// Makes room for what all threads have; new places are 0.
void widen(SyncObject& object) {
  const std::uint32_t size = threads_now();
  if (size > object.capacity) {
    const std::uint32_t capacity = (size + 7) & ~7u;
    Clock* wider = pool_vector(capacity);
    copy(wider, object.released, object.size);
    object.released = wider;
    object.capacity = capacity;
  }
  if (size > object.size)
    std::memset(object.released + object.size, 0, (size - object.size) * sizeof(Clock));
  object.size = size;
}

// The clocks of a thread so far replace, or are added to, what was released.
void set_released(ObjectId key, const Clock* clocks) {
  SyncObject& object = look_up_or_add(key);
  widen(object);
  copy(object.released, clocks, object.size);
}

void add_released(ObjectId key, const Clock* clocks) {
  SyncObject& object = look_up_or_add(key);
  widen(object);
  join(object.released, clocks, object.size);
}

void move_on(ThreadId thread) { ++thread_clocks[thread].now[thread]; }

// ---- Atomics

bool acquires(unsigned order) { return order == 1 || order == 2 || order == 4 || order == 5; }
bool releases(unsigned order) { return order >= 3 && order <= 5; }

void atomic_read(ThreadId thread, unsigned order, ObjectId key) {
  const SyncObject* object = look_up(key);
  if (object == nullptr || object->size == 0) return;
  ThreadClocks& me = thread_clocks[thread];
  if (acquires(order)) {
    join(me.now, object->released, object->size);
    return;
  }
  const std::uint32_t size = threads_now();
  if (!me.has_fence_acquires) std::memset(me.fence_acquires, 0, size * sizeof(Clock));
  me.has_fence_acquires = true;
  join(me.fence_acquires, object->released, object->size);
}

bool atomic_write(ThreadId thread, const Label& label, bool continues) {
  const ThreadClocks& me = thread_clocks[thread];
  const bool full = releases(label.order);
  const Clock* released = full ? me.now : me.has_fence_released ? me.fence_released : nullptr;
  if (continues) {
    if (released != nullptr) add_released(label.object, released);
  } else if (released != nullptr) {
    set_released(label.object, released);
  } else if (SyncObject* object = look_up(label.object)) {
    object->size = 0;  // the release sequence ends
  }
  if (full) move_on(thread);
  return full;
}

// ---- Keys: most objects are their address. Readers of a rwlock release apart, because they do not
// order each other; so do the phases of a barrier. Each message is an object of its own: a receive
// is ordered after the send of what it took, and not after others to the mailbox.

ObjectId readers_of(ObjectId rwlock) { return rwlock + 1; }
ObjectId message_key(std::uint64_t id) { return id | ObjectId{1} << 61; }
ObjectId phase_of(ObjectId barrier, std::uint64_t phase) { return barrier ^ ((phase + 1) << 48); }

}  // namespace

void reset_sync_clocks() {
  if (pool == nullptr) {
    pool = static_cast<char*>(map_pages(nullptr, kPoolSize));
    grow_table();
  }
  ++execution;
  table_used = 0;
  pool_next = pool;
  ThreadClocks& main = thread_clocks[0];
  std::memset(main.now, 0, threads_now() * sizeof(Clock));  // beyond it nobody wrote
  main.now[0] = 1;
  main.has_fence_released = main.has_fence_acquires = false;
}

void acquire_from(ThreadId thread, ObjectId key) {
  if (const SyncObject* object = look_up(key); object != nullptr)
    join(thread_clocks[thread].now, object->released, object->size);
}

void release_to(ThreadId thread, ObjectId key) {
  add_released(key, thread_clocks[thread].now);
  move_on(thread);
}

void continue_release(ObjectId from, ObjectId to) {
  const SyncObject* source = look_up(from);
  if (source == nullptr || source->size == 0) return;
  // The table may move.
  const Clock* const released = source->released;
  const std::uint32_t size = source->size;
  SyncObject& object = look_up_or_add(to);
  widen(object);
  join(object.released, released, size);
}

void acquire_from_store(ThreadId thread, const Label& label, ObjectId store) {
  if (label.kind != OpKind::kStore) atomic_read(thread, label.order, store);
}

bool release_to_store(ThreadId thread, const Label& label, ObjectId store) {
  if (label.kind == OpKind::kLoad || !label.success) return false;
  const ThreadClocks& me = thread_clocks[thread];
  const bool full = releases(label.order);
  if (full || me.has_fence_released) add_released(store, full ? me.now : me.fence_released);
  if (full) move_on(thread);
  return full;
}

void fence(ThreadId thread, int order) {
  ThreadClocks& me = thread_clocks[thread];
  const auto kind = static_cast<unsigned>(order);
  if (acquires(kind) && me.has_fence_acquires) join(me.now, me.fence_acquires, threads_now());
  if (!releases(kind)) return;
  // Threads that come later have 0 here: clear all that could ever be looked at.
  if (!me.has_fence_released) std::memset(me.fence_released, 0, sizeof me.fence_released);
  me.has_fence_released = true;
  copy(me.fence_released, me.now, threads_now());
  move_on(thread);
}

void acquire_by(ThreadId thread, const Label& label) {
  switch (label.kind) {
    case OpKind::kLoad:
    case OpKind::kRmw:
    case OpKind::kCas:
      atomic_read(thread, label.order, label.object);
      return;
    case OpKind::kLock:
      if (label.order != kKernelLock) acquire_from(thread, label.object);
      return;
    case OpKind::kRdLock:
    case OpKind::kSemWait:
    case OpKind::kOnceEnter:
    case OpKind::kAwait:
      acquire_from(thread, label.object);
      return;
    case OpKind::kTryLock:
    case OpKind::kTryRdLock:
    case OpKind::kSemTryWait:
      if (label.success) acquire_from(thread, label.object);
      return;
    case OpKind::kTryWrLock:
      if (!label.success) return;
      [[fallthrough]];
    case OpKind::kWrLock:
      acquire_from(thread, label.object);
      acquire_from(thread, readers_of(label.object));
      return;
    case OpKind::kCondWake:
      acquire_from(thread, label.object2);
      return;
    case OpKind::kReceive:
      if (label.success) acquire_from(thread, message_key(label.read));
      return;
    case OpKind::kBarrierDepart:
      acquire_from(thread, phase_of(label.object, label.value));
      return;
    case OpKind::kJoin:
      if (label.success)
        join(thread_clocks[thread].now, thread_clocks[label.object].now, threads_now());
      return;
    default:
      return;
  }
}

bool release_by(ThreadId thread, const Label& label) {
  switch (label.kind) {
    case OpKind::kStore:
      return atomic_write(thread, label, false);
    case OpKind::kRmw:  // also a compare-exchange that fits no label
    case OpKind::kCas:
      return label.success && atomic_write(thread, label, true);
    case OpKind::kUnlock:
      if (label.order == kKernelLock) return false;
      release_to(thread, label.object);
      return true;
    case OpKind::kWrUnlock:
    case OpKind::kSemPost:
    case OpKind::kOnceLeave:
      release_to(thread, label.object);
      return true;
    case OpKind::kSend:
      release_to(thread, message_key(label.value));
      return true;
    case OpKind::kRdUnlock:
      release_to(thread, readers_of(label.object));
      return true;
    case OpKind::kCondWait:
      if (label.order == kKernelLock) return false;
      release_to(thread, label.object2);
      return true;
    case OpKind::kBarrierArrive:
      release_to(thread, phase_of(label.object, label.written));
      return true;
    case OpKind::kCreate: {
      ThreadClocks& child = thread_clocks[label.object];
      copy(child.now, thread_clocks[thread].now, threads_now());
      child.now[label.object] = 1;
      child.has_fence_released = child.has_fence_acquires = false;
      move_on(thread);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace mazur::native
