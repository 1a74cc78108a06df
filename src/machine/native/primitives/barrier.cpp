// Barriers. A wait is two events: kBarrierArrive counts the thread in, kBarrierDepart lets it go
// on.
//
// Enabled:    an arrival always; a departure when as many threads have arrived in its phase as the
//             barrier was made for.
// Does:       the arrival that fills a phase begins the next one. Of the threads of a phase, the
//             one with the smallest id is told PTHREAD_BARRIER_SERIAL_THREAD: who came last depends
//             on the schedule, and this does not.
// Depends on: arrivals in one phase do not depend on each other, those in different phases do. A
//             departure depends on the arrivals of its phase. Initialising and destroying, which
//             need that nobody waits: life.h.
// Reversible: arrivals in different phases. A departure was blocked before the arrival that filled
//             its phase.
#include <errno.h>
#include <pthread.h>

#include <cstring>

#include "machine/native/primitives/life.h"

namespace mazur::native {
namespace {

// Over glibc's pthread_barrier_t. Who has arrived is noted in the fibers, because threads of
// several phases may be on their way out at once.
struct Barrier {
  unsigned capacity;  // 0: it was never initialised
  int arrived;        // in this phase, or kDead (life.h)
  std::uint64_t phase;

  bool is_alive() const { return arrived >= 0 && capacity != 0; }
};
static_assert(sizeof(Barrier) <= sizeof(pthread_barrier_t));

Barrier& barrier_at(pthread_barrier_t* barrier) { return *reinterpret_cast<Barrier*>(barrier); }

// Fiber::wait_mask of a thread that has arrived.
constexpr std::uint32_t kOneOfMany = 0;
constexpr std::uint32_t kSerial = 1;

bool is_full(const Fiber& fiber) { return fiber.woken; }

// A barrier that is made where another one was begins with another phase. So many bits count the
// phases of each.
constexpr unsigned kPhases = 20;

void must_be_alive(pthread_barrier_t* barrier, const char* done, const void* pc) {
  if (__builtin_expect(!barrier_at(barrier).is_alive(), 0)) fail_dead("barrier", barrier, done, pc);
}

// Threads on their way out no longer look at the barrier.
void must_have_no_waiters(const pthread_barrier_t* barrier, const char* done, const void* pc) {
  if (in_execution())
    for_each_waiter(barrier, [&](const Fiber& waiter) {
      fail_in_use("barrier", barrier, done, waiter.id, "waits at", pc);
    });
}

}  // namespace
}  // namespace mazur::native

using namespace mazur;
using namespace mazur::native;

MAZUR_EXPORT int pthread_barrier_init(pthread_barrier_t* __restrict barrier,
                                      const pthread_barrierattr_t* __restrict,
                                      unsigned count) noexcept {
  if (count == 0) return EINVAL;
  // If there was another barrier in the same place, this event separates the arrivals at the two.
  const std::uint32_t before = lives_of(barrier);
  const auto announce = before == 0 ? life_event : life_event_even_alone;
  Label& label = announce(OpKind::kInit, Space::kQueue, barrier, MAZUR_CALLER);
  Barrier& b = barrier_at(barrier);
  label.read = b.phase;
  label.success = b.is_alive();
  must_have_no_waiters(barrier, "initialised", MAZUR_CALLER);
  std::memset(static_cast<void*>(barrier), 0, sizeof *barrier);
  b.capacity = count;
  b.phase = std::uint64_t{before} << kPhases;
  note_life(OpKind::kInit, barrier, MAZUR_CALLER);
  return 0;
}

MAZUR_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  Label& label = life_event(OpKind::kDestroy, Space::kQueue, barrier, MAZUR_CALLER);
  Barrier& b = barrier_at(barrier);
  label.read = b.phase;
  label.success = b.is_alive();
  if (in_execution()) must_be_alive(barrier, "destroyed again", MAZUR_CALLER);
  must_have_no_waiters(barrier, "destroyed", MAZUR_CALLER);
  b.arrived = kDead;
  note_life(OpKind::kDestroy, barrier, MAZUR_CALLER);
  return 0;
}

MAZUR_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  if (!in_execution()) return PTHREAD_BARRIER_SERIAL_THREAD;
  Barrier& b = barrier_at(barrier);
  Label& label =
      visible({.kind = OpKind::kBarrierArrive, .size = b.capacity, .object = object_of(barrier)},
              MAZUR_CALLER);
  const std::uint64_t phase = b.phase;
  label.written = phase;
  label.success = b.is_alive();
  must_be_alive(barrier, "waited at", MAZUR_CALLER);
  label.size = b.capacity;
  label.read = static_cast<unsigned>(b.arrived);
  Fiber& me = start_waiting(barrier, kOneOfMany);
  if (static_cast<unsigned>(++b.arrived) == b.capacity) {
    b.arrived = 0;
    ++b.phase;
    bool first = true;
    for_each_waiter(barrier, [&](Fiber& waiter) {
      waiter.wait_mask = first ? kSerial : kOneOfMany;
      waiter.woken = true;
      first = false;
    });
  }
  visible({.kind = OpKind::kBarrierDepart,
           .size = b.capacity,
           .object = object_of(barrier),
           .value = phase},
          MAZUR_CALLER, {.enabled = is_full});
  me.waiting_on = nullptr;
  return me.wait_mask == kSerial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
