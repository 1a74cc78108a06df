// Time is virtual: an hour's sleep costs nothing and is seen by the clock.
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#ifndef SECONDS
#define SECONDS 0
#endif

static void* sleeper(void* unused) {
  (void)unused;
  struct timespec before, after;
  assert(clock_gettime(CLOCK_MONOTONIC, &before) == 0);
  assert(sleep(SECONDS) == 0);
  assert(clock_gettime(CLOCK_MONOTONIC, &after) == 0);
  assert(after.tv_sec - before.tv_sec >= SECONDS);
  return 0;
}

int main(void) {
  pthread_t t;
  assert(pthread_create(&t, 0, sleeper, 0) == 0);
  sleeper(0);
  assert(pthread_join(t, 0) == 0);
  return 0;
}
