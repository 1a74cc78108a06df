// A timed wait ends by signal or by timeout, always with the mutex held; an elapsed deadline times
// out.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready, timeouts;

static void* waiter(void* unused) {
  (void)unused;
  struct timespec deadline;
  assert(clock_gettime(CLOCK_REALTIME, &deadline) == 0);
  deadline.tv_sec += 3600;
  assert(pthread_mutex_lock(&m) == 0);
  int result = 0;
  while (!ready && result == 0) result = pthread_cond_timedwait(&cond, &m, &deadline);
  assert(result == 0 || result == ETIMEDOUT);
  if (!ready) timeouts++;
  assert(pthread_mutex_unlock(&m) == 0);
  return 0;
}

int main(void) {
  pthread_t t;
  assert(pthread_create(&t, 0, waiter, 0) == 0);
  assert(pthread_mutex_lock(&m) == 0);
  ready = 1;
  assert(pthread_cond_signal(&cond) == 0);
  assert(pthread_mutex_unlock(&m) == 0);
  assert(pthread_join(t, 0) == 0);
  assert(timeouts == 0 || timeouts == 1);
  struct timespec past = {1, 0};
  assert(pthread_mutex_lock(&m) == 0);
  assert(pthread_cond_timedwait(&cond, &m, &past) == ETIMEDOUT);
  assert(pthread_mutex_trylock(&m) == EBUSY);
  assert(pthread_mutex_unlock(&m) == 0);
  return 0;
}
