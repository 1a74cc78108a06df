// A byte and the word it lies in.
#include <pthread.h>

union {
  char bytes[4];
  int word;
} u;

static void* run(void* unused) {
  (void)unused;
  u.word = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  u.bytes[2] = 1;
  pthread_join(t, 0);
  return 0;
}
