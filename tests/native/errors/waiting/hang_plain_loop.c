// A loop without any visible operation that never ends.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* run(void* unused) {
  (void)unused;
  if (atomic_load(&x) == 1) {
    for (;;) __asm__ volatile("pause");  // BUG-LINE
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  atomic_store(&x, 1);
  atomic_store(&x, 2);
  pthread_join(t, 0);
  return 0;
}
