// entangled(N): N writers of x[i], a counter that goes from 0 to N-1, and a master that overwrites
// x[c] for the c it saw. 2N traces: N values of c, and the order of the two writes of x[c].
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

atomic_int x[N];
atomic_int c;

static void* write_own(void* index) {
  atomic_store(&x[(long)index], 7);
  return 0;
}

static void* count(void* unused) {
  (void)unused;
  for (int i = 1; i < N; i++) atomic_store(&c, atomic_load(&c) + 1);
  return 0;
}

static void* overwrite(void* unused) {
  (void)unused;
  int i = atomic_load(&c);
  atomic_store(&x[i], 0);
  return 0;
}

int main(void) {
  pthread_t thread[N + 2];
  for (long i = 0; i < N; i++) pthread_create(&thread[i], 0, write_own, (void*)i);
  pthread_create(&thread[N], 0, count, 0);
  pthread_create(&thread[N + 1], 0, overwrite, 0);
  for (int i = 0; i < N + 2; i++) pthread_join(thread[i], 0);
}
