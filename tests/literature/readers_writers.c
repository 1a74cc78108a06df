// readers-writers(N): one writer and N readers of x. Section 6.3.1 of the LazyPOR thesis. 2^N
// traces.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 8
#endif

atomic_int x;

static void* writer(void* unused) {
  (void)unused;
  atomic_store(&x, 1);
  return 0;
}

static void* reader(void* unused) {
  (void)unused;
  (void)atomic_load(&x);
  return 0;
}

int main(void) {
  pthread_t thread[N + 1];
  pthread_create(&thread[0], 0, writer, 0);
  for (int i = 1; i <= N; i++) pthread_create(&thread[i], 0, reader, 0);
  for (int i = 0; i <= N; i++) pthread_join(thread[i], 0);
}
