// A barrier used twice: nobody passes before all have come, and exactly one thread per phase is the
// serial one.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int before[2], serial[2][2];

static void* run(void* p) {
  long id = (long)p;
  before[id] = 1;
  int result = pthread_barrier_wait(&barrier);
  assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
  serial[0][id] = result == PTHREAD_BARRIER_SERIAL_THREAD;
  assert(before[1 - id] == 1);
  result = pthread_barrier_wait(&barrier);
  assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
  serial[1][id] = result == PTHREAD_BARRIER_SERIAL_THREAD;
  return 0;
}

int main(void) {
  pthread_t t;
  assert(pthread_barrier_init(&barrier, 0, 2) == 0);
  assert(pthread_create(&t, 0, run, (void*)1) == 0);
  run(0);
  assert(pthread_join(t, 0) == 0);
  for (int phase = 0; phase < 2; phase++) assert(serial[phase][0] + serial[phase][1] == 1);
  assert(pthread_barrier_destroy(&barrier) == 0);
  return 0;
}
