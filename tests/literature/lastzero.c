// lastzero(N): thread 0 looks for the highest index that still holds zero while thread j in 1..N
// sets array[j] to array[j-1] + 1. "Source Sets", Fig. 11. (N+3) * 2^(N-2) traces.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

atomic_int array[N + 1];

static void* search(void* unused) {
  (void)unused;
  for (int i = N; atomic_load(&array[i]) != 0; i--) {
  }
  return 0;
}

static void* increase(void* index) {
  long j = (long)index;
  atomic_store(&array[j], atomic_load(&array[j - 1]) + 1);
  return 0;
}

int main(void) {
  pthread_t thread[N + 1];
  pthread_create(&thread[0], 0, search, 0);
  for (long j = 1; j <= N; j++) pthread_create(&thread[j], 0, increase, (void*)j);
  for (int j = 0; j <= N; j++) pthread_join(thread[j], 0);
}
