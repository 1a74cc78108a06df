// What a joined thread wrote may be read.
#include <pthread.h>

int value;

static void* run(void* unused) {
  (void)unused;
  value = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return value == 1 ? 0 : 1;
}
