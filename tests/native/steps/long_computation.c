// 60 million plain accesses between two visible operations: a second of work, and no livelock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int table[1024];
static atomic_int done;

static void* work(void* unused) {
  (void)unused;
  unsigned sum = 0;
  for (int round = 0; round < 30000; ++round)
    for (int i = 0; i < 1024; ++i) {
      sum += (unsigned)table[i];
      table[(i * 7 + round) & 1023] = (int)(sum >> 3);
    }
  atomic_store(&done, 1 + (sum == 1));
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  assert(atomic_load(&done) != 0);
  return 0;
}
