// POSIX semaphores.
//
// Enabled:    a wait when the count is above 0; everything else always. A wait with a deadline
//             never waits: it is a try that times out when the count is 0.
// Does:       a post adds one, a wait and a successful try take one away; sem_getvalue reads the
//             count.
// Depends on: waits and successful tries depend on everything that changes the count; a failed try
//             and a read depend on posts and on successful waits. Two posts commute, and so do two
//             reads.
// Reversible: a post and the wait after it only if the count was 2 or more before the wait;
//             otherwise the wait was blocked without the post. All else is.
//
// Initialising and destroying: life.h. They set the count, so a wait that was blocked before is not
// reversed with them. Initialising also writes the object as an assignment would, and every use
// reads it when its thread comes to the call: without an order between the two that is a data race,
// also if the thread has to wait and is released by whoever has initialised the semaphore.
//
// Named semaphores are shared with other processes: not controlled.
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

#include <cstdarg>
#include <cstring>

#include "machine/native/hooks/timeouts.h"
#include "machine/native/library/failed_with.h"
#include "machine/native/library/library_call.h"
#include "machine/native/memory/raw.h"
#include "machine/native/primitives/life.h"
#include "machine/native/primitives/primitive.h"
#include "machine/native/system/clock.h"

namespace mazur::native {
namespace {

// Over glibc's sem_t.
struct Semaphore {
  static constexpr unsigned kDead = 0x64656164;
  // The count of a semaphore that is not alive: waiting for it is an error and does not block.
  static constexpr unsigned kEndless = ~0u;

  unsigned count;
  unsigned unused[3];
  unsigned life;  // kDead since it was destroyed; glibc has nothing here, and takes zeros for alive

  bool is_alive() const { return life != kDead; }
  unsigned available() const { return is_alive() ? count : kEndless; }
};
static_assert(sizeof(Semaphore) <= sizeof(sem_t));

Semaphore& semaphore_at(sem_t* semaphore) { return *reinterpret_cast<Semaphore*>(semaphore); }

bool is_positive(const Fiber& fiber) {
  return object_at<Semaphore>(fiber.op->object).available() > 0;
}

void must_be_alive(sem_t* semaphore, const char* done, const void* pc) {
  if (__builtin_expect(!semaphore_at(semaphore).is_alive(), 0))
    fail_dead("semaphore", semaphore, done, pc);
}

// A thread has come to a call that uses it.
void comes_to(const sem_t* semaphore, const void* pc) { tell_access(semaphore, 1, false, pc); }

bool try_wait(sem_t* semaphore, bool timed, const void* pc) {
  comes_to(semaphore, pc);
  Semaphore& s = semaphore_at(semaphore);
  Label& label =
      visible({.kind = OpKind::kSemTryWait, .timed = timed, .object = object_of(semaphore)}, pc);
  label.read = label.written = s.available();
  must_be_alive(semaphore, "waited for", pc);
  label.success = s.count > 0;
  if (label.success) --s.count;
  label.written = s.count;
  return label.success;
}

int wait_for_one(sem_t* semaphore, std::uint8_t order, const void* pc) {
  comes_to(semaphore, pc);
  Semaphore& s = semaphore_at(semaphore);
  Label& label = visible({.kind = OpKind::kSemWait, .order = order, .object = object_of(semaphore)},
                         pc, {.enabled = is_positive});
  label.read = label.written = s.available();
  must_be_alive(semaphore, "waited for", pc);
  if (s.count == 0) die("before main: a semaphore is waited for that nobody can post");
  label.written = --s.count;
  return 0;
}

int timed_wait(sem_t* semaphore, clockid_t clock, const timespec* deadline, const void* pc) {
  tell_access(deadline, sizeof *deadline, false, pc);
  const timespec until = *deadline;
  if (!valid(until)) return failed_with(EINVAL);
  if (const Deadline limit = deadline_at(true, pc); !limit.strikes)
    return wait_for_one(semaphore, limit.order, pc);
  if (try_wait(semaphore, true, pc)) return 0;
  note_timeout(pc);
  let_pass_until(clock, until);
  return failed_with(ETIMEDOUT);
}

}  // namespace
}  // namespace mazur::native

using namespace mazur;
using namespace mazur::native;

MAZUR_EXPORT int sem_init(sem_t* semaphore, int, unsigned value) noexcept {
  if (value > SEM_VALUE_MAX) return failed_with(EINVAL);
  tell_access(semaphore, 1, true, MAZUR_CALLER);
  Label& label = life_event(OpKind::kInit, Space::kSemaphore, semaphore, MAZUR_CALLER);
  Semaphore& s = semaphore_at(semaphore);
  label.read = s.available();
  label.written = value;
  std::memset(static_cast<void*>(semaphore), 0, sizeof *semaphore);
  s.count = value;
  note_life(OpKind::kInit, semaphore, MAZUR_CALLER);
  return 0;
}

MAZUR_EXPORT int sem_destroy(sem_t* semaphore) noexcept {
  Label& label = life_event(OpKind::kDestroy, Space::kSemaphore, semaphore, MAZUR_CALLER);
  Semaphore& s = semaphore_at(semaphore);
  label.read = s.available();
  label.written = Semaphore::kEndless;
  if (in_execution()) must_be_alive(semaphore, "destroyed again", MAZUR_CALLER);
  s.life = Semaphore::kDead;
  note_life(OpKind::kDestroy, semaphore, MAZUR_CALLER);
  return 0;
}

MAZUR_LOOP_ENTRY(int, sem_wait)(sem_t* semaphore) {
  return wait_for_one(semaphore, Operation{}.order, MAZUR_CALLER);
}

MAZUR_LOOP_ENTRY(int, sem_trywait)(sem_t* semaphore) noexcept {
  return try_wait(semaphore, false, MAZUR_CALLER) ? 0 : failed_with(EAGAIN);
}

MAZUR_LOOP_ENTRY(int, sem_timedwait)(sem_t* semaphore, const timespec* deadline) {
  return timed_wait(semaphore, CLOCK_REALTIME, deadline, MAZUR_CALLER);
}

MAZUR_LOOP_ENTRY(int, sem_clockwait)(sem_t* semaphore, clockid_t clock, const timespec* deadline) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return failed_with(EINVAL);
  return timed_wait(semaphore, clock, deadline, MAZUR_CALLER);
}

MAZUR_EXPORT int sem_post(sem_t* semaphore) noexcept {
  comes_to(semaphore, MAZUR_CALLER);
  Semaphore& s = semaphore_at(semaphore);
  Label& label = visible({.kind = OpKind::kSemPost, .object = object_of(semaphore)}, MAZUR_CALLER);
  must_be_alive(semaphore, "posted", MAZUR_CALLER);
  label.read = label.written = s.count;
  if (s.count == SEM_VALUE_MAX) return failed_with(EOVERFLOW);
  label.written = ++s.count;
  return 0;
}

MAZUR_EXPORT int sem_getvalue(sem_t* semaphore, int* value) noexcept {
  comes_to(semaphore, MAZUR_CALLER);
  Label& label = visible({.kind = OpKind::kSemRead, .object = object_of(semaphore)}, MAZUR_CALLER);
  must_be_alive(semaphore, "read", MAZUR_CALLER);
  label.read = semaphore_at(semaphore).count;
  const auto count = static_cast<int>(label.read);
  tell_access(value, sizeof *value, true, MAZUR_CALLER);
  *value = count;
  return 0;
}

MAZUR_EXPORT sem_t* sem_open(const char* name, int flags, ...) noexcept {
  if (in_execution()) unsupported("sem_open", MAZUR_CALLER);
  static sem_t* (*slot)(const char*, int, ...);
  std::va_list arguments;
  va_start(arguments, flags);
  const unsigned mode = va_arg(arguments, unsigned);
  const unsigned value = va_arg(arguments, unsigned);
  va_end(arguments);
  return real(slot, "sem_open")(name, flags, mode, value);
}
