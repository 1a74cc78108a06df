// inc(N,K): N threads increment x K times each, in two steps: a load, then a store.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifndef K
#define K 2
#endif

atomic_int x;

static void* increment(void* unused) {
  (void)unused;
  for (int i = 0; i < K; i++) {
    int v = atomic_load(&x);
    atomic_store(&x, v + 1);
  }
  return 0;
}

int main(void) {
  pthread_t thread[N];
  for (int i = 0; i < N; i++) pthread_create(&thread[i], 0, increment, 0);
  for (int i = 0; i < N; i++) pthread_join(thread[i], 0);
}
