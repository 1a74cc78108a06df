// POSIX semaphores.
//
// Enabled:    a wait when the count is above 0; everything else always. A wait with a deadline
// never waits: it is a try
//             that times out when the count is 0.
// Does:       a post adds one, a wait and a successful try take one away; sem_getvalue reads the
// count. Depends on: waits and successful tries depend on everything that changes the count; a
// failed try and a read depend on
//             posts and on successful waits. Two posts commute, and so do two reads.
// Reversible: a post and the wait after it only if the count was 2 or more before the wait;
// otherwise the wait was
//             blocked without the post. All else is.
//
// Named semaphores are shared with other processes: not controlled.
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

#include <cstdarg>
#include <cstring>

#include "machine/native/clock.h"
#include "machine/native/primitive.h"
#include "machine/native/raw.h"

namespace mazur::native {
namespace {

// Over glibc's sem_t.
struct Semaphore {
  unsigned count;
};
static_assert(sizeof(Semaphore) <= sizeof(sem_t));

Semaphore& semaphore_at(sem_t* semaphore) { return *reinterpret_cast<Semaphore*>(semaphore); }

int failed_with(int error) {
  errno = error;
  return -1;
}

bool is_positive(const Fiber& fiber) { return object_at<Semaphore>(fiber.op->object).count > 0; }

bool try_wait(sem_t* semaphore, bool timed, const void* pc) {
  Semaphore& s = semaphore_at(semaphore);
  Label& label =
      visible({.kind = OpKind::kSemTryWait, .timed = timed, .object = object_of(semaphore)}, pc);
  label.read = s.count;
  label.success = s.count > 0;
  if (label.success) --s.count;
  label.written = s.count;
  return label.success;
}

int timed_wait(sem_t* semaphore, clockid_t clock, const timespec* deadline, const void* pc) {
  if (!valid(*deadline)) return failed_with(EINVAL);
  if (try_wait(semaphore, true, pc)) return 0;
  let_pass_until(clock, *deadline);
  return failed_with(ETIMEDOUT);
}

}  // namespace
}  // namespace mazur::native

using namespace mazur;
using namespace mazur::native;

MAZUR_EXPORT int sem_init(sem_t* semaphore, int, unsigned value) noexcept {
  if (value > SEM_VALUE_MAX) return failed_with(EINVAL);
  std::memset(static_cast<void*>(semaphore), 0, sizeof *semaphore);
  semaphore_at(semaphore).count = value;
  return 0;
}

MAZUR_EXPORT int sem_destroy(sem_t*) noexcept { return 0; }

MAZUR_EXPORT int sem_wait(sem_t* semaphore) {
  Semaphore& s = semaphore_at(semaphore);
  Label& label = visible({.kind = OpKind::kSemWait, .object = object_of(semaphore)}, MAZUR_CALLER,
                         {.enabled = is_positive});
  if (s.count == 0) die("before main: a semaphore is waited for that nobody can post");
  label.read = s.count;
  label.written = --s.count;
  return 0;
}

MAZUR_EXPORT int sem_trywait(sem_t* semaphore) noexcept {
  return try_wait(semaphore, false, MAZUR_CALLER) ? 0 : failed_with(EAGAIN);
}

MAZUR_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* deadline) {
  return timed_wait(semaphore, CLOCK_REALTIME, deadline, MAZUR_CALLER);
}

MAZUR_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* deadline) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return failed_with(EINVAL);
  return timed_wait(semaphore, clock, deadline, MAZUR_CALLER);
}

MAZUR_EXPORT int sem_post(sem_t* semaphore) noexcept {
  Semaphore& s = semaphore_at(semaphore);
  Label& label = visible({.kind = OpKind::kSemPost, .object = object_of(semaphore)}, MAZUR_CALLER);
  label.read = label.written = s.count;
  if (s.count == SEM_VALUE_MAX) return failed_with(EOVERFLOW);
  label.written = ++s.count;
  return 0;
}

MAZUR_EXPORT int sem_getvalue(sem_t* semaphore, int* value) noexcept {
  Label& label = visible({.kind = OpKind::kSemRead, .object = object_of(semaphore)}, MAZUR_CALLER);
  label.read = semaphore_at(semaphore).count;
  *value = static_cast<int>(label.read);
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
