// Two threads write neighbouring bytes of one word.
#include <pthread.h>

char bytes[8];

static void* run(void* unused) {
  (void)unused;
  bytes[3] = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  bytes[4] = 1;
  pthread_join(t, 0);
  return 0;
}
