// Different members of one structure are different locations.
#include <pthread.h>

struct {
  short a, b;
} both;

static void* run(void* unused) {
  (void)unused;
  both.a = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  both.b = 1;
  pthread_join(t, 0);
  return 0;
}
