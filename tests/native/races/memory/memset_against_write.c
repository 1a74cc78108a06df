// memset of an array, and a write into the middle of it.
#include <pthread.h>
#include <string.h>

char buffer[64];

static void* run(void* unused) {
  (void)unused;
  memset(buffer, 1, sizeof buffer);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  buffer[40] = 2;
  pthread_join(t, 0);
  return 0;
}
