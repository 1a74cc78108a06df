// Thread-specific data (pthread keys) and the destructors of thread_local objects.
//
// Enabled:    always. Only making and deleting a key are events; a thread's own values concern
//             nobody else.
// Does:       a new key is the lowest free number, and no thread has a value for it. At the end of
//             a thread its thread_local objects are destroyed, last one first, then the values of
//             its keys, in up to four rounds.
// Depends on: making and deleting keys depend on each other, because the number of a key depends on
//             their order. They count as read-modify-writes of one place that stands for the table
//             of keys.
// Reversible: yes.
#include "machine/native/primitives/keys.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "machine/native/engine/per_execution.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/memory/raw.h"
#include "machine/native/primitives/primitive.h"

namespace mazur::native {
namespace {

// An address that no program has anything at: the same in every build of the runtime.
constexpr ObjectId kTableOfKeys = 0x100;

struct Key {
  bool used;
  void (*destructor)(void*);
};

struct Table {
  Key keys[kKeys];
  void* values[kKeys];  // of main, before executions begin
  unsigned end;         // no key at or above it is used
  unsigned last;        // the key that was changed last: what the table holds, seen as memory
};
// The keys made before main exist in every execution, and main starts with the values it had then.
Table table, table_at_snapshot;

constexpr unsigned kMostBeforeMain = 1024;
ThreadLocalDestructor destructors_before_main[kMostBeforeMain];
unsigned destructor_count = 0;
unsigned destructors_at_snapshot = 0;

void copy_table(Table& to, const Table& from) {
  const unsigned end = to.end > from.end ? to.end : from.end;
  for (unsigned i = 0; i < end; ++i) {
    to.keys[i] = from.keys[i];
    to.values[i] = from.values[i];
  }
  to.end = from.end;
  to.last = from.last;
}

const PerExecution per_execution(
    [] {
      copy_table(table, table_at_snapshot);
      destructor_count = destructors_at_snapshot;
    },
    [] {
      copy_table(table_at_snapshot, table);
      destructors_at_snapshot = destructor_count;
    });

// The value of a key in a thread.
void*& value_of(Fiber& fiber, unsigned key) {
  if (key >= fiber.keys.size()) {
    PrivateHeapScope scope;
    const std::size_t had = fiber.keys.size();
    fiber.keys.resize(key + 16, nullptr);
    if (fiber.id == 0)
      for (std::size_t i = had; i < fiber.keys.size() && i < kKeys; ++i)
        fiber.keys[i] = table.values[i];
  }
  return fiber.keys[key];
}

bool is_key(unsigned key) { return key < table.end && table.keys[key].used; }

Label& change_keys(const void* pc) {
  Label& label = visible({.kind = OpKind::kRmw, .size = 8, .object = kTableOfKeys}, pc);
  label.read = label.written = table.last;
  return label;
}

int register_destructor(void (*function)(void*), void* object) {
  if (runtime.running) {
    PrivateHeapScope scope;
    runtime.current->destructors.push_back({function, object});
  } else if (runtime.booting) {
    if (destructor_count == kMostBeforeMain) die("too many thread_local objects before main");
    destructors_before_main[destructor_count++] = {function, object};
  }
  return 0;
}

}  // namespace

void run_thread_local_destructors() {
  Fiber& me = *runtime.current;
  for (;;) {
    ThreadLocalDestructor next;
    if (!me.destructors.empty()) {
      next = me.destructors.back();
      me.destructors.pop_back();
    } else if (me.id == 0 && destructor_count > 0) {
      next = destructors_before_main[--destructor_count];
    } else {
      return;
    }
    next.function(next.object);
  }
}

void run_key_destructors() {
  Fiber& me = *runtime.current;
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool any = false;
    for (unsigned key = 0; key < table.end; ++key) {
      const Key& k = table.keys[key];
      if (!k.used || (key >= me.keys.size() && me.id != 0)) continue;
      void*& slot = value_of(me, key);
      void* const value = slot;
      if (value == nullptr) continue;
      slot = nullptr;
      if (k.destructor == nullptr) continue;
      any = true;
      k.destructor(value);
    }
    if (!any) return;
  }
}

void run_thread_destructors() {
  run_thread_local_destructors();
  run_key_destructors();
}

}  // namespace mazur::native

using namespace mazur;
using namespace mazur::native;

MAZUR_EXPORT int pthread_key_create(pthread_key_t* out, void (*destructor)(void*)) noexcept {
  Label& label = change_keys(MAZUR_CALLER);
  unsigned key = 0;
  while (key < kKeys && table.keys[key].used) ++key;
  if (key == kKeys) return EAGAIN;
  label.written = table.last = key;
  if (in_execution()) {
    for (ThreadId id = 0; id < known_threads(); ++id)
      if (Fiber* fiber = find_fiber(id); fiber != nullptr && fiber->live)
        if (key < fiber->keys.size() || id == 0) value_of(*fiber, key) = nullptr;
  } else {
    table.values[key] = nullptr;
  }
  table.keys[key] = {true, destructor};
  if (key >= table.end) table.end = key + 1;
  *out = key;
  return 0;
}

MAZUR_EXPORT int pthread_key_delete(pthread_key_t key) noexcept {
  Label& label = change_keys(MAZUR_CALLER);
  label.written = table.last = key;
  if (!is_key(key)) return EINVAL;
  table.keys[key] = {};
  return 0;
}

MAZUR_EXPORT void* pthread_getspecific(pthread_key_t key) noexcept {
  if (!is_key(key)) return nullptr;
  if (!in_execution()) return table.values[key];
  const Fiber& me = *runtime.current;
  if (key < me.keys.size()) return me.keys[key];
  return me.id == 0 ? table.values[key] : nullptr;
}

MAZUR_EXPORT int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  note_change();
  if (!is_key(key)) return EINVAL;
  void*& slot = in_execution() ? value_of(*runtime.current, key) : table.values[key];
  slot = const_cast<void*>(value);
  return 0;
}

MAZUR_EXPORT int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void*) {
  return register_destructor(function, object);
}

MAZUR_EXPORT int __cxa_thread_atexit(void (*function)(void*), void* object, void*) noexcept {
  return register_destructor(function, object);
}
