// Mutexes: normal, recursive and error-checking; locked, tried, and locked with a deadline.
//
// Enabled:    a lock when nobody holds the mutex; everything else always. A lock with a deadline
//             never waits: it is a try that times out when the mutex is held.
// Does:       lock and a successful try make the thread the holder, unlock makes it nobody. Only
//             the outermost lock and unlock of a recursive mutex are events: the inner ones change
//             nothing that another thread can see. Initialising and destroying: life.h.
// Depends on: lock, unlock and a successful try of the same mutex depend on each other, except for
//             two unlocks; a failed try depends on locks and unlocks, but not on another failed
//             try.
// Reversible: lock with lock, and whatever a try is part of. An unlock and the lock that waited for
//             it are not: before the unlock, that lock was blocked.
//
// Misuse of an error-checking mutex is an error code, as POSIX says. Of any other mutex it is an
// error of the program. Robustness, priorities and sharing between processes are accepted and mean
// nothing here.
#include "machine/native/primitives/mutex.h"

#include <errno.h>

#include <cstring>

#include "machine/native/hooks/spurious.h"
#include "machine/native/hooks/timeouts.h"
#include "machine/native/library/library_call.h"
#include "machine/native/primitives/life.h"
#include "machine/native/system/clock.h"

namespace mazur::native {
namespace {

// A lock of a mutex that is not alive does not wait: it is an error.
bool is_free(const Fiber& fiber) { return object_at<Mutex>(fiber.op->object).holder <= 0; }

// A lock by the holder itself. Returns the answer to the caller, or -1 if this is an attempt like
// any other.
int relock(Mutex& mutex) {
  switch (mutex.type()) {
    case PTHREAD_MUTEX_RECURSIVE:
      if (mutex.depth == ~0u) return EAGAIN;
      ++mutex.depth;
      note_change();  // no event, and it lasts
      return 0;
    case PTHREAD_MUTEX_ERRORCHECK:
      return EDEADLK;
    default:
      return -1;
  }
}

}  // namespace

void initialise_mutex(pthread_mutex_t* mutex, int kind, const void* pc) {
  life_event(OpKind::kInit, Space::kMutex, mutex, pc);
  // What lies there may be no mutex yet.
  if (const ThreadId holder = thread_of(mutex_at(mutex).holder);
      in_execution() && holder < known_threads() && known_holder(mutex) == holder)
    fail_in_use("mutex", mutex, "initialised", holder, "holds", pc);
  std::memset(static_cast<void*>(mutex), 0, sizeof *mutex);
  mutex_at(mutex).kind = kind;
  note_life(OpKind::kInit, mutex, pc);
}

int lock_mutex(pthread_mutex_t* mutex, const void* pc) {
  Mutex& m = mutex_at(mutex);
  if (m.mine()) {
    if (const int answer = relock(m); answer >= 0) return answer;
    if (in_execution())
      fail(FailureKind::kMisuse, "mutex %p is locked again by its owner, %s",
           static_cast<void*>(mutex), ThreadName(m.holder).text());
  }
  visible({.kind = OpKind::kLock, .object = object_of(mutex)}, pc, {.enabled = is_free});
  if (__builtin_expect(m.is_dead(), 0)) fail_dead("mutex", mutex, "locked", pc);
  m.take();
  return 0;
}

int try_lock_mutex(pthread_mutex_t* mutex, const void* pc) {
  Mutex& m = mutex_at(mutex);
  if (m.mine() && m.type() == PTHREAD_MUTEX_RECURSIVE) return relock(m);
  if (fails_spuriously(mutex, pc)) return EBUSY;
  Label& label = visible({.kind = OpKind::kTryLock, .object = object_of(mutex)}, pc);
  label.success = m.holder <= 0;
  if (!label.success) return EBUSY;
  if (__builtin_expect(m.is_dead(), 0)) fail_dead("mutex", mutex, "locked", pc);
  m.take();
  return 0;
}

int timed_lock_mutex(pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline,
                     const void* pc) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  Mutex& m = mutex_at(mutex);
  if (m.mine())
    if (const int answer = relock(m); answer >= 0) return answer;
  if (const Deadline limit = deadline_at(true, pc); !limit.strikes) {
    visible({.kind = OpKind::kLock, .order = limit.order, .object = object_of(mutex)}, pc,
            {.enabled = is_free});
    if (__builtin_expect(m.is_dead(), 0)) fail_dead("mutex", mutex, "locked", pc);
    m.take();
    return 0;
  }
  Label& label = visible({.kind = OpKind::kTryLock, .timed = true, .object = object_of(mutex)}, pc);
  label.success = m.holder <= 0;
  if (label.success) {
    if (__builtin_expect(m.is_dead(), 0)) fail_dead("mutex", mutex, "locked", pc);
    m.take();
    return 0;
  }
  tell_access(deadline, sizeof *deadline, false, pc);
  if (!valid(*deadline)) return EINVAL;
  note_timeout(pc);
  let_pass_until(clock, *deadline);
  return ETIMEDOUT;
}

int unlock_mutex(pthread_mutex_t* mutex, const void* pc) {
  Mutex& m = mutex_at(mutex);
  if (m.mine() && m.type() == PTHREAD_MUTEX_RECURSIVE && m.depth > 1) {
    --m.depth;
    note_change();
    return 0;
  }
  // The thread does not hold it, whatever others do. So this is no event: every unlock that is an
  // event comes after its lock, and the explorers rely on that.
  if (!m.mine() && in_execution()) {
    if (m.type() == PTHREAD_MUTEX_ERRORCHECK || m.type() == PTHREAD_MUTEX_RECURSIVE) return EPERM;
    if (m.is_dead()) fail_dead("mutex", mutex, "unlocked", pc);
    fail(FailureKind::kMisuse, "mutex %p is unlocked by %s, which does not hold it",
         static_cast<void*>(mutex), ThreadName(my_tag()).text());
  }
  visible({.kind = OpKind::kUnlock, .object = object_of(mutex)}, pc);
  m.release();
  return 0;
}

int destroy_mutex(pthread_mutex_t* mutex, const void* pc) {
  Mutex& m = mutex_at(mutex);
  life_event(OpKind::kDestroy, Space::kMutex, mutex, pc);
  if (!in_execution()) {
    m.holder = kDead;
    note_life(OpKind::kDestroy, mutex, pc);
    return 0;
  }
  if (m.is_dead()) fail_dead("mutex", mutex, "destroyed again", pc);
  if (m.holder != 0) fail_in_use("mutex", mutex, "destroyed", thread_of(m.holder), "holds", pc);
  for (ThreadId id = 0; id < known_threads(); ++id)
    if (const Fiber* fiber = find_fiber(id); fiber != nullptr && fiber->live &&
                                             fiber->pending.kind == OpKind::kCondWake &&
                                             fiber->pending.object2 == object_of(mutex))
      fail_in_use("mutex", mutex, "destroyed", id, "waits on a condition variable with", pc);
  m.holder = kDead;
  note_life(OpKind::kDestroy, mutex, pc);
  return 0;
}

}  // namespace mazur::native

using namespace mazur::native;

MAZUR_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex,
                                    const pthread_mutexattr_t* attributes) noexcept {
  int kind = PTHREAD_MUTEX_DEFAULT;
  if (attributes != nullptr) pthread_mutexattr_gettype(attributes, &kind);
  initialise_mutex(mutex, kind, MAZUR_CALLER);
  return 0;
}

MAZUR_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  return destroy_mutex(mutex, MAZUR_CALLER);
}

MAZUR_LOOP_ENTRY(int, pthread_mutex_lock)(pthread_mutex_t* mutex) noexcept {
  return lock_mutex(mutex, MAZUR_CALLER);
}

MAZUR_LOOP_ENTRY(int, pthread_mutex_trylock)(pthread_mutex_t* mutex) noexcept {
  return try_lock_mutex(mutex, MAZUR_CALLER);
}

MAZUR_LOOP_ENTRY(int, pthread_mutex_timedlock)
(pthread_mutex_t* mutex, const timespec* deadline) noexcept {
  return timed_lock_mutex(mutex, CLOCK_REALTIME, deadline, MAZUR_CALLER);
}

MAZUR_LOOP_ENTRY(int, pthread_mutex_clocklock)
(pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline) noexcept {
  return timed_lock_mutex(mutex, clock, deadline, MAZUR_CALLER);
}

MAZUR_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  return unlock_mutex(mutex, MAZUR_CALLER);
}

MAZUR_EXPORT int pthread_mutex_consistent(pthread_mutex_t*) noexcept { return 0; }
