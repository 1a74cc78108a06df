// A barrier for three that one thread misses if it comes too early.
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int ready;

static void* arrive(void* unused) {
  (void)unused;
  pthread_barrier_wait(&barrier);  // BUG-LINE
  return 0;
}

static void* arrive_if_ready(void* unused) {
  (void)unused;
  if (atomic_load(&ready)) pthread_barrier_wait(&barrier);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&barrier, 0, 3);
  pthread_create(&a, 0, arrive, 0);
  pthread_create(&b, 0, arrive_if_ready, 0);
  atomic_store(&ready, 1);
  pthread_barrier_wait(&barrier);  // BUG-LINE
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
