// indexer(N): N threads insert MAX messages each into one hash table by compare-and-swap. Flanagan
// and Godefroid's example; listing 6.2 of the LazyPOR thesis. Nothing collides with up to 11
// threads: 1 trace, then 8^(N-11). With -DMAX=2 -DSTRIDE=2 it is indexer-small: 2^(N-2).
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 12
#endif
#ifndef MAX
#define MAX 4
#endif
#ifndef STRIDE
#define STRIDE 11
#endif
#define SIZE 128

atomic_int table[SIZE];

static void* insert(void* id) {
  int tid = (int)(long)id;
  for (int m = 1; m <= MAX; m++) {
    int w = m * STRIDE + tid;
    int h = (w * 7) % SIZE;
    for (;;) {
      int empty = 0;
      if (atomic_compare_exchange_strong(&table[h], &empty, w)) break;
      h = (h + 1) % SIZE;
    }
  }
  return 0;
}

int main(void) {
  pthread_t thread[N];
  for (long i = 0; i < N; i++) pthread_create(&thread[i], 0, insert, (void*)i);
  for (int i = 0; i < N; i++) pthread_join(thread[i], 0);
}
