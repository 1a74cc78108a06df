// Two bit-fields of one word are one memory location.
#include <pthread.h>

struct {
  int a : 4;
  int b : 4;
} fields;

static void* run(void* unused) {
  (void)unused;
  fields.a = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  fields.b = 1;
  pthread_join(t, 0);
  return 0;
}
