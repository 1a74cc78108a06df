// A counter without a lock.
#include <pthread.h>

int counter;

static void* run(void* unused) {
  (void)unused;
  counter++;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  counter++;
  pthread_join(t, 0);
  return 0;
}
