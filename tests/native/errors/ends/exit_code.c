// exit() with a status other than 0 if the write was not yet seen.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ready;

static void* writer(void* unused) {
  (void)unused;
  atomic_store(&ready, 1);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  if (!atomic_load(&ready)) exit(3);  // BUG-LINE
  pthread_join(t, 0);
  return 0;
}
