// floatingread(N): N threads write x and one thread reads it. All write the value that x has from the
// start; with -DDIF=1 the values differ. With -DPHASES=K main joins them and does all that K times,
// each time with new threads and another variable. "Optimal dynamic partial order reduction with
// context-sensitive independence and observers", the synthetic programs.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif
#ifndef DIF
#define DIF 0
#endif
#ifndef PHASES
#define PHASES 1
#endif

atomic_int x[PHASES] = {[0 ... PHASES - 1] = 1 - DIF};
int phase;

static void* writer(void* id) {
  atomic_store(&x[phase], 1 + DIF * (int)(long)id);
  return 0;
}

static void* reader(void* unused) {
  (void)unused;
  (void)atomic_load(&x[phase]);
  return 0;
}

int main(void) {
  pthread_t thread[N + 1];
  for (; phase < PHASES; phase++) {
    for (long i = 0; i < N; i++) pthread_create(&thread[i], 0, writer, (void*)i);
    pthread_create(&thread[N], 0, reader, 0);
    for (int i = 0; i <= N; i++) pthread_join(thread[i], 0);
  }
}
