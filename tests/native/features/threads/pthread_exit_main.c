// pthread_exit in main: the other threads run on, the process ends with the last of them and
// status 0.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ended;

static void check(void) { assert(atomic_load(&ended) == 2); }

static void* outlive(void* unused) {
  (void)unused;
  atomic_fetch_add(&ended, 1);
  return 0;
}

int main(void) {
  assert(atexit(check) == 0);
  pthread_t t;
  for (int i = 0; i < 2; i++) {
    assert(pthread_create(&t, 0, outlive, 0) == 0);
    assert(pthread_detach(t) == 0);
  }
  pthread_exit(0);
}
