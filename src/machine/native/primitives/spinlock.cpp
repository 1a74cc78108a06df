// Spinlocks: mutexes without kinds. A lock waits as a mutex does; the rounds of its loop are no
// events.
//
// Enabled:    a lock when nobody holds it; trylock and unlock always.
// Does:       notes its holder in the lock word, where a mutex has its own. Initialising and
//             destroying: life.h.
// Depends on: as for a mutex.
// Reversible: as for a mutex.
#include <errno.h>
#include <pthread.h>

#include "machine/native/primitives/life.h"

namespace mazur::native {
namespace {

bool is_free(const Fiber& fiber) { return object_at<int>(fiber.op->object) <= 0; }

void* name_of(pthread_spinlock_t* lock) { return const_cast<int*>(lock); }

}  // namespace
}  // namespace mazur::native

using namespace mazur;
using namespace mazur::native;

MAZUR_EXPORT int pthread_spin_init(pthread_spinlock_t* lock, int) noexcept {
  life_event(OpKind::kInit, Space::kMutex, name_of(lock), MAZUR_CALLER);
  // What lies there may be no lock yet.
  if (const ThreadId holder = thread_of(*lock);
      in_execution() && holder < known_threads() && known_holder(name_of(lock)) == holder)
    fail_in_use("spinlock", name_of(lock), "initialised", holder, "holds", MAZUR_CALLER);
  *lock = 0;
  note_life(OpKind::kInit, name_of(lock), MAZUR_CALLER);
  return 0;
}

MAZUR_EXPORT int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
  life_event(OpKind::kDestroy, Space::kMutex, name_of(lock), MAZUR_CALLER);
  if (in_execution() && *lock < 0)
    fail_dead("spinlock", name_of(lock), "destroyed again", MAZUR_CALLER);
  if (in_execution() && *lock != 0)
    fail_in_use("spinlock", name_of(lock), "destroyed", thread_of(*lock), "holds", MAZUR_CALLER);
  *lock = kDead;
  note_life(OpKind::kDestroy, name_of(lock), MAZUR_CALLER);
  return 0;
}

MAZUR_LOOP_ENTRY(int, pthread_spin_lock)(pthread_spinlock_t* lock) noexcept {
  if (in_execution() && *lock == my_tag())
    fail(FailureKind::kMisuse, "spinlock %p is locked again by its owner, %s", name_of(lock),
         ThreadName(*lock).text());
  visible({.kind = OpKind::kLock, .object = object_of(lock)}, MAZUR_CALLER, {.enabled = is_free});
  if (__builtin_expect(*lock < 0, 0)) fail_dead("spinlock", name_of(lock), "locked", MAZUR_CALLER);
  *lock = my_tag();
  return 0;
}

MAZUR_LOOP_ENTRY(int, pthread_spin_trylock)(pthread_spinlock_t* lock) noexcept {
  Label& label = visible({.kind = OpKind::kTryLock, .object = object_of(lock)}, MAZUR_CALLER);
  label.success = *lock <= 0;
  if (!label.success) return EBUSY;
  if (__builtin_expect(*lock < 0, 0)) fail_dead("spinlock", name_of(lock), "locked", MAZUR_CALLER);
  *lock = my_tag();
  return 0;
}

MAZUR_EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  if (in_execution() && *lock < 0) fail_dead("spinlock", name_of(lock), "unlocked", MAZUR_CALLER);
  if (in_execution() && *lock != my_tag())  // no event, as for a mutex
    fail(FailureKind::kMisuse, "spinlock %p is unlocked by %s, which does not hold it",
         name_of(lock), ThreadName(my_tag()).text());
  visible({.kind = OpKind::kUnlock, .object = object_of(lock)}, MAZUR_CALLER);
  *lock = 0;
  return 0;
}
