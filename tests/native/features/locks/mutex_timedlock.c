// A timed lock gets the mutex or times out; with a deadline in the past it still takes a free one.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int entered;
static int timed_out[2];

static void* attempt(void* id) {
  struct timespec deadline;
  assert(clock_gettime(CLOCK_REALTIME, &deadline) == 0);
  deadline.tv_sec += 3600;
  int result = pthread_mutex_timedlock(&m, &deadline);
  if (result == 0) {
    entered++;
    assert(pthread_mutex_unlock(&m) == 0);
  } else {
    assert(result == ETIMEDOUT);
    timed_out[(long)id] = 1;
  }
  return 0;
}

static void* too_late(void* unused) {
  (void)unused;
  struct timespec past = {1, 0};
  assert(pthread_mutex_timedlock(&m, &past) == ETIMEDOUT);
  struct timespec invalid = {1, -1};
  assert(pthread_mutex_timedlock(&m, &invalid) == EINVAL);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) assert(pthread_create(&t[i], 0, attempt, (void*)i) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(t[i], 0) == 0);
  assert(entered >= 1 && entered + timed_out[0] + timed_out[1] == 2);
  struct timespec past = {1, 0};
  assert(pthread_mutex_timedlock(&m, &past) == 0);
  assert(pthread_create(&t[0], 0, too_late, 0) == 0);
  assert(pthread_join(t[0], 0) == 0);
  assert(pthread_mutex_unlock(&m) == 0);
  return 0;
}
