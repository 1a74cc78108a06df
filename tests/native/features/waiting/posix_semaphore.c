// A POSIX semaphore hands over data, counts, and bounds how many are inside.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t handed, slots;
static int data;

static void* give(void* unused) {
  (void)unused;
  data = 42;
  assert(sem_post(&handed) == 0);
  assert(sem_wait(&slots) == 0);
  assert(sem_post(&slots) == 0);
  return 0;
}

int main(void) {
  pthread_t t;
  assert(sem_init(&handed, 0, 0) == 0);
  assert(sem_init(&slots, 0, 1) == 0);
  assert(pthread_create(&t, 0, give, 0) == 0);
  assert(sem_wait(&slots) == 0);
  assert(sem_post(&slots) == 0);
  assert(sem_wait(&handed) == 0);
  assert(data == 42);
  assert(pthread_join(t, 0) == 0);
  assert(sem_destroy(&handed) == 0);
  assert(sem_destroy(&slots) == 0);
  return 0;
}
