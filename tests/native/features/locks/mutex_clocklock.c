// pthread_mutex_clocklock: a timed lock against a clock of one's choice.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int entered;
static int timed_out[2];

static void* attempt(void* id) {
  struct timespec deadline;
  assert(clock_gettime(CLOCK_MONOTONIC, &deadline) == 0);
  deadline.tv_sec += 3600;
  int result = pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &deadline);
  if (result == 0) {
    entered++;
    assert(pthread_mutex_unlock(&m) == 0);
  } else {
    assert(result == ETIMEDOUT);
    timed_out[(long)id] = 1;
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) assert(pthread_create(&t[i], 0, attempt, (void*)i) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(t[i], 0) == 0);
  assert(entered >= 1 && entered + timed_out[0] + timed_out[1] == 2);
  return 0;
}
