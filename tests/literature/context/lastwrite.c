// lastwrite(N): N threads write x; main joins them and reads it. With -DDIF=1 the values differ. With
// -DPHASES=K main does all that K times, each time with new threads and another variable.
// "Optimal dynamic partial order reduction with
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

atomic_int x[PHASES];
int phase;

static void* writer(void* id) {
  atomic_store(&x[phase], 1 + DIF * (int)(long)id);
  return 0;
}

int main(void) {
  pthread_t thread[N];
  for (; phase < PHASES; phase++) {
    for (long i = 0; i < N; i++) pthread_create(&thread[i], 0, writer, (void*)i);
    for (int i = 0; i < N; i++) pthread_join(thread[i], 0);
    (void)atomic_load(&x[phase]);
  }
}
