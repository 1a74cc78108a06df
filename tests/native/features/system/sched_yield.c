// sched_yield between two steps of a program changes nothing but the schedule.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int x;

static void* run(void* unused) {
  (void)unused;
  atomic_fetch_add(&x, 1);
  assert(sched_yield() == 0);
  atomic_fetch_add(&x, 1);
  return 0;
}

int main(void) {
  pthread_t t;
  assert(pthread_create(&t, 0, run, 0) == 0);
  run(0);
  assert(pthread_join(t, 0) == 0);
  assert(atomic_load(&x) == 4);
  return 0;
}
