// One thread reads before the barrier what the other writes before it.
#include <pthread.h>

int values[2];
volatile int seen[2];
pthread_barrier_t barrier;

static void* run(void* unused) {
  (void)unused;
  values[0] = 1;
  pthread_barrier_wait(&barrier);
  seen[0] = values[1];
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&t, 0, run, 0);
  seen[1] = values[0];
  pthread_barrier_wait(&barrier);
  pthread_join(t, 0);
  return 0;
}
