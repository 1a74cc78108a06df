// The assertion fails in a thread, in one order of three writes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* one(void* unused) {
  (void)unused;
  atomic_store(&x, 1);
  return 0;
}

static void* two(void* unused) {
  (void)unused;
  int first = atomic_load(&x);
  int second = atomic_load(&x);
  assert(first == second);  // BUG-LINE
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
