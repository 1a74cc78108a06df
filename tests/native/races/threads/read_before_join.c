// The value is read before the thread is joined.
#include <pthread.h>

int value;
volatile int seen;

static void* run(void* unused) {
  (void)unused;
  value = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  seen = value;
  pthread_join(t, 0);
  return 0;
}
