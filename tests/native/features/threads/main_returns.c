// Main returns while a detached thread waits for something that never comes: no deadlock, status 0.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t never;
static atomic_int x;

static void* wait_forever(void* unused) {
  (void)unused;
  atomic_store(&x, 1);
  sem_wait(&never);
  return 0;
}

int main(void) {
  pthread_t t;
  assert(sem_init(&never, 0, 0) == 0);
  assert(pthread_create(&t, 0, wait_forever, 0) == 0);
  assert(pthread_detach(t) == 0);
  int seen = atomic_load(&x);
  assert(seen == 0 || seen == 1);
  return 0;
}
