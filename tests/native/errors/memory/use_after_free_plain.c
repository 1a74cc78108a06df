// One thread frees what the other still reads: the mutex orders them, but not the right way round.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int* block;
static volatile int seen;

static void* run(void* unused) {
  (void)unused;
  pthread_mutex_lock(&m);
  seen = block[2];  // BUG-LINE
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  block = calloc(4, sizeof *block);
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&m);
  free(block);  // BUG-LINE
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
