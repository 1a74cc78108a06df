// Condition variables. A wait is two events: kCondWait releases the mutex and joins the waiters,
// kCondWake takes the mutex again.
//
// Enabled:    a wake when the mutex is free and a signal has chosen the thread; with a deadline,
//             when the mutex is free: not having been chosen is then a timeout. Waiting, signalling
//             and broadcasting are always enabled.
// Does:       a signal chooses any one of the waiters that are not chosen yet (one outcome for
//             each, in increasing order of thread ids), a broadcast all of them; without waiters
//             both are lost. Spurious wake-ups: hooks/spurious.h. Initialising and destroying, which
//             need that nobody waits: life.h. A thread that has been chosen no longer waits.
// Depends on: the mutex, as its unlock and lock. Signals and broadcasts depend on each other and on
//             joining the waiters; joining does not depend on joining. A wake depends on the signal
//             that chose it, and with a deadline on every signal.
// Reversible: signal with wait and signal with signal; with a deadline, signal with wake. A wake
//             without a deadline was blocked before its signal.
#include "machine/native/primitives/condition.h"

#include <errno.h>

#include <cstring>

#include "machine/native/hooks/spurious.h"
#include "machine/native/hooks/timeouts.h"
#include "machine/native/library/library_call.h"
#include "machine/native/primitives/life.h"
#include "machine/native/primitives/mutex.h"
#include "machine/native/system/clock.h"
#include "machine/native/weak/parts.h"

namespace mazur::native {
namespace {

// Over glibc's pthread_cond_t; the waiters are noted in their fibers.
struct Condition {
  int clock;  // CLOCK_REALTIME is 0: what the static initialiser says. Negative: it is not alive
};
static_assert(CLOCK_REALTIME == 0 && sizeof(Condition) <= sizeof(pthread_cond_t));

bool can_wake(const Fiber& fiber) {
  return (fiber.woken || fiber.op->timed) && object_at<Mutex>(fiber.op->object2).holder <= 0;
}

void time_out(clockid_t clock, const timespec& deadline, const void* pc) {
  note_timeout(pc);
  let_pass_until(clock, deadline);
}

void must_be_alive(const pthread_cond_t* condition, const char* done, const void* pc) {
  if (__builtin_expect(clock_of(condition) < 0, 0))
    fail_dead("condition variable", condition, done, pc);
}

void must_have_no_waiters(const pthread_cond_t* condition, const char* done, const void* pc) {
  if (in_execution())
    for_each_waiter(condition, [&](const Fiber& waiter) {
      fail_in_use("condition variable", condition, done, waiter.id, "waits on", pc);
    });
}

}  // namespace

void initialise_condition(pthread_cond_t* condition, clockid_t clock, const void* pc) {
  life_event(OpKind::kInit, Space::kQueue, condition, pc);
  must_have_no_waiters(condition, "initialised", pc);
  std::memset(static_cast<void*>(condition), 0, sizeof *condition);
  reinterpret_cast<Condition*>(condition)->clock = clock;
  note_life(OpKind::kInit, condition, pc);
}

int destroy_condition(pthread_cond_t* condition, const void* pc) {
  life_event(OpKind::kDestroy, Space::kQueue, condition, pc);
  if (in_execution()) must_be_alive(condition, "destroyed again", pc);
  must_have_no_waiters(condition, "destroyed", pc);
  reinterpret_cast<Condition*>(condition)->clock = kDead;
  note_life(OpKind::kDestroy, condition, pc);
  return 0;
}

clockid_t clock_of(const pthread_cond_t* condition) {
  return reinterpret_cast<const Condition*>(condition)->clock;
}

int wait_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                   const timespec* deadline, const void* pc) {
  tell_access(deadline, sizeof *deadline, false, pc);
  const timespec until = deadline != nullptr ? *deadline : timespec{};
  if (!valid(until)) return EINVAL;
  if (!in_execution()) return deadline != nullptr ? ETIMEDOUT : 0;
  Mutex& m = mutex_at(mutex);
  if (!m.mine()) {
    if (m.type() == PTHREAD_MUTEX_ERRORCHECK || m.type() == PTHREAD_MUTEX_RECURSIVE) return EPERM;
    fail(FailureKind::kMisuse, "%s waits on a condition variable with mutex %p held by %s",
         ThreadName(my_tag()).text(), static_cast<void*>(mutex), ThreadName(m.holder).text());
  }
  if (m.depth > 1)
    fail(FailureKind::kMisuse,
         "%s waits on a condition variable with mutex %p locked %u times: it stays locked",
         ThreadName(my_tag()).text(), static_cast<void*>(mutex), m.depth);
  if (wakes_spuriously(condition, pc)) {
    unlock_mutex(mutex, pc);
    return lock_mutex(mutex, pc);
  }
  const Deadline limit = deadline_at(deadline != nullptr, pc);
  const bool timed = limit.strikes;
  const bool in_parts = timed && operations_in_parts;
  visible({.kind = OpKind::kCondWait,
           .timed = timed && !in_parts,
           .object = object_of(condition),
           .object2 = object_of(mutex)},
          pc);
  must_be_alive(condition, "waited on", pc);
  m.release();
  Fiber& me = start_waiting(condition);
  if (in_parts) {
    const bool woken = leave_waiters(condition, limit, pc);
    lock_mutex(mutex, pc);
    if (!woken) time_out(clock, until, pc);
    return woken ? 0 : ETIMEDOUT;
  }
  Label& label = visible({.kind = OpKind::kCondWake,
                          .order = limit.order,
                          .timed = timed,
                          .object = object_of(condition),
                          .object2 = object_of(mutex)},
                         pc, {.enabled = can_wake});
  label.success = me.woken;
  me.waiting_on = nullptr;
  if (__builtin_expect(m.is_dead(), 0)) fail_dead("mutex", mutex, "locked", pc);
  m.take();
  if (!me.woken) time_out(clock, until, pc);
  return me.woken ? 0 : ETIMEDOUT;
}

namespace {

// The waiters that a signal can choose. Only those of futexes have masks.
template <typename F>
void for_each_reached(const void* object, const Operation& signal, F function) {
  for_each_waiter(object, [&](Fiber& waiter) {
    if ((waiter.wait_mask & futex_mask(signal)) != 0) function(waiter);
  });
}

}  // namespace

std::uint16_t waiter_count(const Fiber& fiber) {
  std::uint16_t count = 0;
  for_each_reached(&object_at<void*>(fiber.op->object), *fiber.op, [&](Fiber&) { ++count; });
  return count == 0 ? 1 : count;
}

void wake_chosen(const void* object, Label& label) {
  label.read = 0;
  label.written = 0;
  std::uint16_t place = 0;
  for_each_reached(object, label, [&](Fiber& waiter) {
    if (place++ != chosen()) return;
    waiter.woken = true;
    label.read = 1;
    label.written = bit_of(waiter);
  });
}

void wake_all(const void* object, Label& label) {
  label.read = 0;
  label.written = 0;
  for_each_reached(object, label, [&](Fiber& waiter) {
    waiter.woken = true;
    ++label.read;
    label.written |= bit_of(waiter);
  });
}

int signal_condition(pthread_cond_t* condition, const void* pc) {
  if (!in_execution()) return 0;
  Label& label = visible({.kind = OpKind::kCondSignal, .object = object_of(condition)}, pc,
                         {.ways = waiter_count});
  must_be_alive(condition, "signalled", pc);
  wake_chosen(condition, label);
  return 0;
}

int broadcast_condition(pthread_cond_t* condition, const void* pc) {
  if (!in_execution()) return 0;
  Label& label = visible({.kind = OpKind::kCondBroadcast, .object = object_of(condition)}, pc);
  must_be_alive(condition, "signalled", pc);
  wake_all(condition, label);
  return 0;
}

}  // namespace mazur::native

using namespace mazur::native;

MAZUR_EXPORT int pthread_cond_init(pthread_cond_t* condition,
                                   const pthread_condattr_t* attributes) noexcept {
  clockid_t clock = CLOCK_REALTIME;
  if (attributes != nullptr) pthread_condattr_getclock(attributes, &clock);
  initialise_condition(condition, clock, MAZUR_CALLER);
  return 0;
}

MAZUR_EXPORT int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
  return destroy_condition(condition, MAZUR_CALLER);
}

MAZUR_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return wait_condition(condition, mutex, CLOCK_REALTIME, nullptr, MAZUR_CALLER);
}

MAZUR_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                        const timespec* deadline) {
  return wait_condition(condition, mutex, clock_of(condition), deadline, MAZUR_CALLER);
}

MAZUR_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                        clockid_t clock, const timespec* deadline) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  return wait_condition(condition, mutex, clock, deadline, MAZUR_CALLER);
}

MAZUR_EXPORT int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  return signal_condition(condition, MAZUR_CALLER);
}

MAZUR_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  return broadcast_condition(condition, MAZUR_CALLER);
}
