// Two threads only read.
#include <pthread.h>

int value = 5;
volatile int sink[2];

static void* run(void* unused) {
  (void)unused;
  sink[0] = value;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  sink[1] = value;
  pthread_join(t, 0);
  return 0;
}
