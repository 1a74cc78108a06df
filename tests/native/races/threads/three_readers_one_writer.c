// Reads by two threads, then a write by one of them: it races with the other's read.
#include <pthread.h>

int value;
volatile int seen[2];

static void* run(void* unused) {
  (void)unused;
  seen[0] = value;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  seen[1] = value;
  value = 1;
  pthread_join(t, 0);
  return 0;
}
