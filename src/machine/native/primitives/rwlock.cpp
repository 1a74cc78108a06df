// Reader-writer locks.
//
// Enabled:    a read lock when nobody has it for writing; a write lock when nobody has it at all;
//             everything else always. A lock with a deadline never waits: it is a try that times
//             out when the lock would wait.
// Does:       counts the readers, or notes the writer. Readers come in past waiting writers, which
//             is what the default attributes say; a preference for writers is accepted and means
//             nothing here. Initialising and destroying: life.h.
// Depends on: read locks, read unlocks and tries that read do not depend on each other. Everything
//             that writes depends on everything. A failed read try depends on write locks and
//             unlocks, a failed write try on all locks and unlocks, and failed tries not on each
//             other.
// Reversible: locks with locks, and whatever a try is part of. An unlock and the lock that waited
//             for it are not.
#include "machine/native/primitives/rwlock.h"

#include <errno.h>
#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "machine/native/hooks/spurious.h"
#include "machine/native/hooks/timeouts.h"
#include "machine/native/library/library_call.h"
#include "machine/native/primitives/life.h"
#include "machine/native/system/clock.h"

namespace mazur::native {
namespace {

// Over glibc's pthread_rwlock_t, of which it leaves alone what the static initialisers set.
struct ReaderWriterLock {
  static constexpr int kNamed = 20;

  unsigned readers;               // how often it is locked for reading
  int writer;                     // tag, or kDead (life.h)
  std::uint16_t read_by[kNamed];  // of `readers`, those of each of the first threads

  // Whoever locks one that is not alive does not wait: it is an error.
  bool can_read() const { return writer <= 0; }
  bool can_write() const { return writer <= 0 && readers == 0; }
  bool is_dead() const { return writer < 0; }
  // Whether the running thread has it for reading. For threads with high numbers it is only known
  // that somebody has it.
  bool may_be_mine() const {
    const ThreadId me = current_thread();
    return me < kNamed ? read_by[me] > 0 : readers > 0;
  }
  bool is_mine_too_often() const {
    const ThreadId me = current_thread();
    return me < kNamed && read_by[me] == 0xffff;
  }
  void take_for_reading() {
    ++readers;
    if (const ThreadId me = current_thread(); me < kNamed) ++read_by[me];
  }
  void release_from_reading() {
    --readers;
    if (const ThreadId me = current_thread(); me < kNamed) --read_by[me];
  }
};
static_assert(sizeof(ReaderWriterLock) <= offsetof(pthread_rwlock_t, __data.__flags));

ReaderWriterLock& lock_at(pthread_rwlock_t* lock) {
  return *reinterpret_cast<ReaderWriterLock*>(lock);
}

bool can_read(const Fiber& f) { return object_at<ReaderWriterLock>(f.op->object).can_read(); }
bool can_write(const Fiber& f) { return object_at<ReaderWriterLock>(f.op->object).can_write(); }

void must_be_alive(pthread_rwlock_t* lock, const char* done, const void* pc) {
  if (__builtin_expect(lock_at(lock).is_dead(), 0)) fail_dead("rwlock", lock, done, pc);
}

// The same for a lock operation, whose label then says that the thread does not hold it.
void must_be_alive(pthread_rwlock_t* lock, Label& label, const void* pc) {
  if (__builtin_expect(!lock_at(lock).is_dead(), 1)) return;
  label.read = 1;
  fail_dead("rwlock", lock, "locked", pc);
}

bool try_read(pthread_rwlock_t* lock, bool timed, const void* pc) {
  ReaderWriterLock& l = lock_at(lock);
  Label& label =
      visible({.kind = OpKind::kTryRdLock, .timed = timed, .object = object_of(lock)}, pc);
  label.success = l.can_read();
  must_be_alive(lock, label, pc);
  if (label.success) l.take_for_reading();
  return label.success;
}

bool try_write(pthread_rwlock_t* lock, bool timed, const void* pc) {
  ReaderWriterLock& l = lock_at(lock);
  Label& label =
      visible({.kind = OpKind::kTryWrLock, .timed = timed, .object = object_of(lock)}, pc);
  label.success = l.can_write();
  must_be_alive(lock, label, pc);
  if (label.success) l.writer = my_tag();
  return label.success;
}

int timed_lock(pthread_rwlock_t* lock, bool writes, clockid_t clock, const timespec* deadline,
               const void* pc) {
  tell_access(deadline, sizeof *deadline, false, pc);
  const timespec until = *deadline;
  if ((clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) || !valid(until)) return EINVAL;
  if (in_execution() && lock_at(lock).writer == my_tag()) return EDEADLK;
  if (!writes && lock_at(lock).is_mine_too_often()) return EAGAIN;
  if (const Deadline limit = deadline_at(true, pc); !limit.strikes) {
    ReaderWriterLock& l = lock_at(lock);
    Label& label = visible({.kind = writes ? OpKind::kWrLock : OpKind::kRdLock,
                            .order = limit.order,
                            .object = object_of(lock)},
                           pc, {.enabled = writes ? can_write : can_read});
    must_be_alive(lock, label, pc);
    if (writes)
      l.writer = my_tag();
    else
      l.take_for_reading();
    return 0;
  }
  if (writes ? try_write(lock, true, pc) : try_read(lock, true, pc)) return 0;
  note_timeout(pc);
  let_pass_until(clock, until);
  return ETIMEDOUT;
}

}  // namespace

ThreadId rwlock_writer(ObjectId object) {
  return thread_of(object_at<ReaderWriterLock>(object).writer);
}

}  // namespace mazur::native

using namespace mazur;
using namespace mazur::native;

MAZUR_EXPORT int pthread_rwlock_init(pthread_rwlock_t* __restrict lock,
                                     const pthread_rwlockattr_t* __restrict) noexcept {
  life_event(OpKind::kInit, Space::kRwLock, lock, MAZUR_CALLER);
  // What lies there may be no lock yet.
  const ReaderWriterLock& l = lock_at(lock);
  if (in_execution() && (l.writer > 0 || l.readers > 0))
    if (const ThreadId holder = known_holder(lock); holder != kNoThread)
      fail_in_use("rwlock", lock, "initialised", holder, "holds", MAZUR_CALLER);
  std::memset(static_cast<void*>(lock), 0, sizeof *lock);
  note_life(OpKind::kInit, lock, MAZUR_CALLER);
  return 0;
}

MAZUR_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* lock) noexcept {
  ReaderWriterLock& l = lock_at(lock);
  life_event(OpKind::kDestroy, Space::kRwLock, lock, MAZUR_CALLER);
  if (in_execution()) {
    must_be_alive(lock, "destroyed again", MAZUR_CALLER);
    if (l.writer != 0)
      fail_in_use("rwlock", lock, "destroyed", thread_of(l.writer), "holds", MAZUR_CALLER);
    if (l.readers != 0) {
      const ThreadId reader = known_holder(lock);
      if (reader != kNoThread)
        fail_in_use("rwlock", lock, "destroyed", reader, "holds", MAZUR_CALLER);
      fail(FailureKind::kMisuse, "rwlock %p is destroyed while it is held for reading",
           static_cast<void*>(lock));
    }
  }
  l.writer = kDead;
  note_life(OpKind::kDestroy, lock, MAZUR_CALLER);
  return 0;
}

MAZUR_LOOP_ENTRY(int, pthread_rwlock_rdlock)(pthread_rwlock_t* lock) noexcept {
  ReaderWriterLock& l = lock_at(lock);
  if (in_execution() && l.writer == my_tag()) return EDEADLK;
  if (l.is_mine_too_often()) return EAGAIN;
  Label& label = visible({.kind = OpKind::kRdLock, .object = object_of(lock)}, MAZUR_CALLER,
                         {.enabled = can_read});
  must_be_alive(lock, label, MAZUR_CALLER);
  l.take_for_reading();
  return 0;
}

MAZUR_LOOP_ENTRY(int, pthread_rwlock_wrlock)(pthread_rwlock_t* lock) noexcept {
  ReaderWriterLock& l = lock_at(lock);
  if (in_execution() && l.writer == my_tag()) return EDEADLK;
  Label& label = visible({.kind = OpKind::kWrLock, .object = object_of(lock)}, MAZUR_CALLER,
                         {.enabled = can_write});
  must_be_alive(lock, label, MAZUR_CALLER);
  l.writer = my_tag();
  return 0;
}

MAZUR_LOOP_ENTRY(int, pthread_rwlock_tryrdlock)(pthread_rwlock_t* lock) noexcept {
  if (lock_at(lock).is_mine_too_often()) return EAGAIN;
  if (fails_spuriously(lock, MAZUR_CALLER)) return EBUSY;
  return try_read(lock, false, MAZUR_CALLER) ? 0 : EBUSY;
}

MAZUR_LOOP_ENTRY(int, pthread_rwlock_trywrlock)(pthread_rwlock_t* lock) noexcept {
  if (fails_spuriously(lock, MAZUR_CALLER)) return EBUSY;
  return try_write(lock, false, MAZUR_CALLER) ? 0 : EBUSY;
}

MAZUR_LOOP_ENTRY(int, pthread_rwlock_timedrdlock)
(pthread_rwlock_t* __restrict lock, const timespec* __restrict deadline) noexcept {
  return timed_lock(lock, false, CLOCK_REALTIME, deadline, MAZUR_CALLER);
}

MAZUR_LOOP_ENTRY(int, pthread_rwlock_timedwrlock)
(pthread_rwlock_t* __restrict lock, const timespec* __restrict deadline) noexcept {
  return timed_lock(lock, true, CLOCK_REALTIME, deadline, MAZUR_CALLER);
}

MAZUR_LOOP_ENTRY(int, pthread_rwlock_clockrdlock)
(pthread_rwlock_t* __restrict lock, clockid_t clock, const timespec* __restrict deadline) noexcept {
  return timed_lock(lock, false, clock, deadline, MAZUR_CALLER);
}

MAZUR_LOOP_ENTRY(int, pthread_rwlock_clockwrlock)
(pthread_rwlock_t* __restrict lock, clockid_t clock, const timespec* __restrict deadline) noexcept {
  return timed_lock(lock, true, clock, deadline, MAZUR_CALLER);
}

MAZUR_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  ReaderWriterLock& l = lock_at(lock);
  // Whether the thread is the writer is its own doing; if it is not, it can only be a reader.
  if (l.writer == my_tag()) {
    visible({.kind = OpKind::kWrUnlock, .object = object_of(lock)}, MAZUR_CALLER);
    l.writer = 0;
    return 0;
  }
  if (!l.may_be_mine()) {  // no event, as for a mutex
    if (!in_execution()) return 0;
    must_be_alive(lock, "unlocked", MAZUR_CALLER);
    fail(FailureKind::kMisuse, "rwlock %p is unlocked by %s, which does not hold it",
         static_cast<void*>(lock), ThreadName(my_tag()).text());
  }
  visible({.kind = OpKind::kRdUnlock, .object = object_of(lock)}, MAZUR_CALLER);
  l.release_from_reading();
  return 0;
}
