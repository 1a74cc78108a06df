// sem_timedwait and sem_clockwait take a unit or time out; a deadline in the past takes what is
// there.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;

static void* post(void* unused) {
  (void)unused;
  assert(sem_post(&s) == 0);
  assert(sem_post(&s) == 0);
  return 0;
}

int main(void) {
  pthread_t t;
  assert(sem_init(&s, 0, 0) == 0);
  struct timespec past = {1, 0};
  errno = 0;
  assert(sem_timedwait(&s, &past) == -1 && errno == ETIMEDOUT);
  assert(pthread_create(&t, 0, post, 0) == 0);
  int left = 2;
  struct timespec deadline;
  assert(clock_gettime(CLOCK_REALTIME, &deadline) == 0);
  deadline.tv_sec += 3600;
  if (sem_timedwait(&s, &deadline) == 0) {
    left--;
  } else {
    assert(errno == ETIMEDOUT);
  }
  assert(clock_gettime(CLOCK_MONOTONIC, &deadline) == 0);
  deadline.tv_sec += 3600;
  if (sem_clockwait(&s, CLOCK_MONOTONIC, &deadline) == 0) {
    left--;
  } else {
    assert(errno == ETIMEDOUT);
  }
  assert(pthread_join(t, 0) == 0);
  int value = -1;
  assert(sem_getvalue(&s, &value) == 0 && value == left);
  for (; left > 0; left--) assert(sem_timedwait(&s, &past) == 0);
  return 0;
}
