// pthread_cond_clockwait, and a condition variable whose attribute names the monotonic clock.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond;
static int ready;

static void* waiter(void* explicit_clock) {
  struct timespec deadline;
  assert(clock_gettime(CLOCK_MONOTONIC, &deadline) == 0);
  deadline.tv_sec += 3600;
  assert(pthread_mutex_lock(&m) == 0);
  int result = 0;
  while (!ready && result == 0) {
    result = explicit_clock ? pthread_cond_clockwait(&cond, &m, CLOCK_MONOTONIC, &deadline)
                            : pthread_cond_timedwait(&cond, &m, &deadline);
  }
  assert(result == 0 || result == ETIMEDOUT);
  assert(pthread_mutex_trylock(&m) == EBUSY);
  assert(pthread_mutex_unlock(&m) == 0);
  return 0;
}

int main(void) {
  pthread_condattr_t attr;
  clockid_t clock;
  assert(pthread_condattr_init(&attr) == 0);
  assert(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
  assert(pthread_condattr_getclock(&attr, &clock) == 0 && clock == CLOCK_MONOTONIC);
  assert(pthread_cond_init(&cond, &attr) == 0);
  assert(pthread_condattr_destroy(&attr) == 0);
  pthread_t a, b;
  assert(pthread_create(&a, 0, waiter, 0) == 0);
  assert(pthread_create(&b, 0, waiter, &cond) == 0);
  assert(pthread_mutex_lock(&m) == 0);
  ready = 1;
  assert(pthread_cond_broadcast(&cond) == 0);
  assert(pthread_mutex_unlock(&m) == 0);
  assert(pthread_join(a, 0) == 0);
  assert(pthread_join(b, 0) == 0);
  return 0;
}
