// A block is freed while another thread reads it.
#include <pthread.h>
#include <stdlib.h>

int* block;
volatile int seen;

static void* run(void* unused) {
  (void)unused;
  seen = *block;
  return 0;
}

int main(void) {
  pthread_t t;
  block = calloc(1, sizeof *block);
  pthread_create(&t, 0, run, 0);
  free(block);
  pthread_join(t, 0);
  return 0;
}
