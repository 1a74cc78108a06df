// memcpy of a buffer that another thread fills.
#include <pthread.h>
#include <string.h>

static char source[64], target[64];

static void* fill(void* n) {
  memset(source, 1, *(int*)n);  // BUG-LINE
  return 0;
}

int main(void) {
  pthread_t t;
  int n = 64;
  pthread_create(&t, 0, fill, &n);
  memcpy(target, source, sizeof target);  // BUG-LINE
  pthread_join(t, 0);
  return target[0] > 1;
}
