// A thread that computes for ever: what it has is never again what it was. -DSILENT: without any
// access to memory.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
unsigned long state = 1;

static void* compute(void* unused) {
  (void)unused;
#ifdef SILENT
  unsigned long i = (unsigned long)atomic_load(&x);
  for (;;) {
    i = i * 6364136223846793005ul + 1442695040888963407ul;  // LINE
    if (i == 0) break;
  }
#else
  while (state != 0) state = state * 6364136223846793005ul + 1442695040888963407ul;  // LINE
#endif
  return 0;
}

int main(void) {
  pthread_t t;
  atomic_store(&x, 1);
  pthread_create(&t, 0, compute, 0);
  pthread_join(t, 0);
  return 0;
}
