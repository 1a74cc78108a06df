// Two threads raise a flag each and then look at the other's: at least one sees the other.
//
//   mazur check examples/store_buffer.c
//
// Verified, in 3 executions: under sequential consistency, which seq_cst atomics promise, the
// fourth outcome does not exist.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag[2];
int seen[2];

void* run(void* p) {
  long self = (long)p;
  atomic_store(&flag[self], 1);
  seen[self] = atomic_load(&flag[1 - self]);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, run, (void*)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(seen[0] + seen[1] >= 1);
}
