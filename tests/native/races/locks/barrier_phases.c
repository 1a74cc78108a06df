// What was written before the barrier is read after it.
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
  values[1] = 1;
  pthread_barrier_wait(&barrier);
  seen[1] = values[0];
  pthread_join(t, 0);
  return 0;
}
