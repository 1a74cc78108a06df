// wakeup_stress(N): N threads add to c2 and meet at a barrier; behind the barrier the last thread
// adds to c1, as the first thread does at once. "Source Sets", Fig. 12. 2 * N! traces.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

atomic_int c1, c2;
pthread_barrier_t barrier;

static void* first(void* unused) {
  (void)unused;
  atomic_fetch_add(&c1, 1);
  return 0;
}

static void* middle(void* unused) {
  (void)unused;
  atomic_fetch_add(&c2, 1);
  pthread_barrier_wait(&barrier);
  return 0;
}

static void* last(void* unused) {
  (void)unused;
  pthread_barrier_wait(&barrier);
  atomic_fetch_add(&c1, 1);
  return 0;
}

int main(void) {
  pthread_t thread[N + 2];
  pthread_barrier_init(&barrier, 0, N + 1);
  pthread_create(&thread[0], 0, first, 0);
  for (int i = 1; i <= N; i++) pthread_create(&thread[i], 0, middle, 0);
  pthread_create(&thread[N + 1], 0, last, 0);
  for (int i = 0; i < N + 2; i++) pthread_join(thread[i], 0);
  pthread_barrier_destroy(&barrier);
}
