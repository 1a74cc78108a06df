// C11 threads: other names for pthreads. Each says in its own file when it is enabled, what it
// does, what it depends on and whether a race on it can be reversed: thread.cpp, mutex.cpp,
// condition.cpp, keys.cpp, clock.cpp; call_once is in once.cpp.
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "machine/native/primitives/condition.h"
#include "machine/native/primitives/mutex.h"
#include "machine/native/primitives/thread.h"
#include "machine/native/system/clock.h"

namespace mazur::native {
namespace {

static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t));

pthread_mutex_t* mutex_of(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* condition_of(cnd_t* condition) {
  return reinterpret_cast<pthread_cond_t*>(condition);
}

int result_of(int error) {
  switch (error) {
    case 0:
      return thrd_success;
    case ENOMEM:
      return thrd_nomem;
    case ETIMEDOUT:
      return thrd_timedout;
    case EBUSY:
      return thrd_busy;
    default:
      return thrd_error;
  }
}

}  // namespace
}  // namespace mazur::native

using namespace mazur::native;

// ---- Threads

// An int is returned in the lower half of the register a pointer is returned in: the upper half is
// nobody's.
MAZUR_EXPORT int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  auto* const start = reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(function));
  return result_of(create_thread(thread, nullptr, start, argument, MAZUR_CALLER));
}

MAZUR_EXPORT int thrd_join(thrd_t thread, int* result) {
  void* value = nullptr;
  const int error = join_thread(thread, &value, MAZUR_CALLER);
  if (error == 0 && result != nullptr)
    *result = static_cast<int>(reinterpret_cast<std::uintptr_t>(value));
  return result_of(error);
}

MAZUR_EXPORT void thrd_exit(int result) {
  pthread_exit(reinterpret_cast<void*>(static_cast<std::intptr_t>(result)));
}

MAZUR_EXPORT int thrd_detach(thrd_t thread) { return result_of(pthread_detach(thread)); }
MAZUR_EXPORT thrd_t thrd_current() { return pthread_self(); }
// Under another name, because threads.h has an inline one.
MAZUR_EXPORT int mazur_thrd_equal(thrd_t a, thrd_t b) asm("thrd_equal");
int mazur_thrd_equal(thrd_t a, thrd_t b) { return a == b; }
MAZUR_EXPORT void thrd_yield() { yield_event(MAZUR_CALLER); }

MAZUR_EXPORT int thrd_sleep(const timespec* duration, timespec*) {
  if (!valid(*duration) || duration->tv_sec < 0) return -2;
  yield_event(MAZUR_CALLER);
  let_pass(nanoseconds(*duration));
  return 0;
}

// ---- Mutexes

MAZUR_EXPORT int mtx_init(mtx_t* mutex, int type) {
  if ((type & ~(mtx_timed | mtx_recursive)) != 0) return thrd_error;
  initialise_mutex(mutex_of(mutex),
                   (type & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL,
                   MAZUR_CALLER);
  return thrd_success;
}

MAZUR_EXPORT void mtx_destroy(mtx_t* mutex) { destroy_mutex(mutex_of(mutex), MAZUR_CALLER); }

MAZUR_LOOP_ENTRY(int, mtx_lock)(mtx_t* mutex) {
  return result_of(lock_mutex(mutex_of(mutex), MAZUR_CALLER));
}

MAZUR_LOOP_ENTRY(int, mtx_trylock)(mtx_t* mutex) {
  return result_of(try_lock_mutex(mutex_of(mutex), MAZUR_CALLER));
}

MAZUR_LOOP_ENTRY(int, mtx_timedlock)(mtx_t* mutex, const timespec* deadline) {
  return result_of(timed_lock_mutex(mutex_of(mutex), CLOCK_REALTIME, deadline, MAZUR_CALLER));
}

MAZUR_EXPORT int mtx_unlock(mtx_t* mutex) {
  return result_of(unlock_mutex(mutex_of(mutex), MAZUR_CALLER));
}

// ---- Condition variables

MAZUR_EXPORT int cnd_init(cnd_t* condition) {
  initialise_condition(condition_of(condition), CLOCK_REALTIME, MAZUR_CALLER);
  return thrd_success;
}

MAZUR_EXPORT void cnd_destroy(cnd_t* condition) {
  destroy_condition(condition_of(condition), MAZUR_CALLER);
}

MAZUR_EXPORT int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return result_of(wait_condition(condition_of(condition), mutex_of(mutex), CLOCK_REALTIME, nullptr,
                                  MAZUR_CALLER));
}

MAZUR_EXPORT int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* deadline) {
  return result_of(wait_condition(condition_of(condition), mutex_of(mutex), CLOCK_REALTIME,
                                  deadline, MAZUR_CALLER));
}

MAZUR_EXPORT int cnd_signal(cnd_t* condition) {
  return result_of(signal_condition(condition_of(condition), MAZUR_CALLER));
}

MAZUR_EXPORT int cnd_broadcast(cnd_t* condition) {
  return result_of(broadcast_condition(condition_of(condition), MAZUR_CALLER));
}

// ---- Thread-specific storage

MAZUR_EXPORT int tss_create(tss_t* key, tss_dtor_t destructor) {
  return result_of(pthread_key_create(key, destructor));
}
MAZUR_EXPORT void* tss_get(tss_t key) { return pthread_getspecific(key); }
MAZUR_EXPORT int tss_set(tss_t key, void* value) {
  return result_of(pthread_setspecific(key, value));
}
MAZUR_EXPORT void tss_delete(tss_t key) { pthread_key_delete(key); }
