// Barriers. A wait is two events: kBarrierArrive counts the thread in, kBarrierDepart lets it go
// on.
//
// Enabled:    an arrival always; a departure when as many threads have arrived in its phase as the
// barrier was made for. Does:       the arrival that fills a phase begins the next one. Of the
// threads of a phase, the one with the smallest id
//             is told PTHREAD_BARRIER_SERIAL_THREAD: who came last depends on the schedule, and
//             this does not.
// Depends on: arrivals in one phase do not depend on each other, those in different phases do. A
// departure depends on
//             the arrivals of its phase.
// Reversible: arrivals in different phases. A departure was blocked before the arrival that filled
// its phase.
#include <errno.h>
#include <pthread.h>

#include <cstring>

#include "machine/native/primitive.h"

namespace mazur::native {
namespace {

// Over glibc's pthread_barrier_t. Who has arrived is noted in the fibers, because threads of
// several phases may be on their way out at once.
struct Barrier {
  unsigned capacity;
  unsigned arrived;  // in this phase
  std::uint64_t phase;
};
static_assert(sizeof(Barrier) <= sizeof(pthread_barrier_t));

Barrier& barrier_at(pthread_barrier_t* barrier) { return *reinterpret_cast<Barrier*>(barrier); }

// Fiber::wait_mask of a thread that has arrived.
constexpr std::uint32_t kOneOfMany = 0;
constexpr std::uint32_t kSerial = 1;

bool is_full(const Fiber& fiber) { return fiber.woken; }

}  // namespace
}  // namespace mazur::native

using namespace mazur;
using namespace mazur::native;

MAZUR_EXPORT int pthread_barrier_init(pthread_barrier_t* __restrict barrier,
                                      const pthread_barrierattr_t* __restrict,
                                      unsigned count) noexcept {
  if (count == 0) return EINVAL;
  std::memset(static_cast<void*>(barrier), 0, sizeof *barrier);
  barrier_at(barrier).capacity = count;
  return 0;
}

// Those on their way out do not look at the barrier any more, so there is nothing to wait for.
MAZUR_EXPORT int pthread_barrier_destroy(pthread_barrier_t*) noexcept { return 0; }

MAZUR_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  if (!in_execution()) return PTHREAD_BARRIER_SERIAL_THREAD;
  Barrier& b = barrier_at(barrier);
  Label& label =
      visible({.kind = OpKind::kBarrierArrive, .size = b.capacity, .object = object_of(barrier)},
              MAZUR_CALLER);
  const std::uint64_t phase = b.phase;
  label.read = b.arrived;
  label.written = phase;
  Fiber& me = start_waiting(barrier, kOneOfMany);
  if (++b.arrived == b.capacity) {
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
