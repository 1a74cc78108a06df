// Atomic accesses do not race, not even relaxed ones.
#include <pthread.h>

int counter;

static void* run(void* unused) {
  (void)unused;
  __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
  pthread_join(t, 0);
  return 0;
}
