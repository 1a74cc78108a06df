// Timed and clocked reader-writer locks get the lock or time out.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static struct timespec in_an_hour(clockid_t clock) {
  struct timespec t;
  assert(clock_gettime(clock, &t) == 0);
  t.tv_sec += 3600;
  return t;
}

static void* writer(void* unused) {
  (void)unused;
  struct timespec t = in_an_hour(CLOCK_REALTIME);
  int result = pthread_rwlock_timedwrlock(&lock, &t);
  assert(result == 0 || result == ETIMEDOUT);
  if (result == 0) {
    value += 2;
    assert(pthread_rwlock_unlock(&lock) == 0);
  }
  t = in_an_hour(CLOCK_MONOTONIC);
  result = pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &t);
  assert(result == 0 || result == ETIMEDOUT);
  if (result == 0) {
    value += 2;
    assert(pthread_rwlock_unlock(&lock) == 0);
  }
  return 0;
}

static void* reader(void* unused) {
  (void)unused;
  struct timespec t = in_an_hour(CLOCK_REALTIME);
  int result = pthread_rwlock_timedrdlock(&lock, &t);
  assert(result == 0 || result == ETIMEDOUT);
  if (result == 0) {
    assert(value % 2 == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
  }
  t = in_an_hour(CLOCK_MONOTONIC);
  result = pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &t);
  assert(result == 0 || result == ETIMEDOUT);
  if (result == 0) {
    assert(value % 2 == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
  }
  return 0;
}

int main(void) {
  pthread_t w, r;
  assert(pthread_create(&w, 0, writer, 0) == 0);
  assert(pthread_create(&r, 0, reader, 0) == 0);
  assert(pthread_join(w, 0) == 0);
  assert(pthread_join(r, 0) == 0);
  assert(value % 2 == 0 && value <= 4);
  struct timespec past = {1, 0};
  assert(pthread_rwlock_wrlock(&lock) == 0);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_timedrdlock(&lock, &past) == 0);
  assert(pthread_rwlock_unlock(&lock) == 0);
  return 0;
}
