/* Three workers compute in two phases. One that finds its input cancelled goes home, and the others
 * wait for it for ever. */
#include <pthread.h>
#include <stdatomic.h>

enum { kWorkers = 3 };

static pthread_barrier_t phase;
static atomic_int cancelled;
static int part[kWorkers];
static int sum[kWorkers];

static void* work(void* argument) {
  const int me = (int)(long)argument;
  const int is_cancelled = me == 1 && atomic_load(&cancelled);
#ifndef FIXED
  if (is_cancelled) return 0;
#endif
  part[me] = is_cancelled ? 0 : me + 1;
  pthread_barrier_wait(&phase);
  for (int i = 0; i < kWorkers; ++i) sum[me] += part[i];
  return 0;
}

int main(void) {
  pthread_t threads[kWorkers];
  pthread_barrier_init(&phase, 0, kWorkers);
  for (long i = 0; i < kWorkers; ++i) pthread_create(&threads[i], 0, work, (void*)i);
  atomic_store(&cancelled, 1);
  for (int i = 0; i < kWorkers; ++i) pthread_join(threads[i], 0);
  pthread_barrier_destroy(&phase);
  return 0;
}
