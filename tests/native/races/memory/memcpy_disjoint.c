// Copies into the two halves of a buffer.
#include <pthread.h>
#include <string.h>

char buffer[64];
char source[32];

static void* run(void* unused) {
  (void)unused;
  memcpy(buffer, source, 32);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  memcpy(buffer + 32, source, 32);
  pthread_join(t, 0);
  return 0;
}
