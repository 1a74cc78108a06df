// Threads detached by their creator, by themselves and by attribute; a semaphore says when they are
// through.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t done;
static atomic_int count;

static void* by_creator(void* unused) {
  (void)unused;
  atomic_fetch_add(&count, 1);
  sem_post(&done);
  return 0;
}

static void* by_itself(void* unused) {
  assert(pthread_detach(pthread_self()) == 0);
  return by_creator(unused);
}

int main(void) {
  pthread_t t;
  assert(sem_init(&done, 0, 0) == 0);
  assert(pthread_create(&t, 0, by_creator, 0) == 0);
  assert(pthread_detach(t) == 0);
  assert(pthread_create(&t, 0, by_itself, 0) == 0);
  pthread_attr_t attr;
  int state;
  assert(pthread_attr_init(&attr) == 0);
  assert(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
  assert(pthread_attr_getdetachstate(&attr, &state) == 0 && state == PTHREAD_CREATE_DETACHED);
  assert(pthread_create(&t, &attr, by_creator, 0) == 0);
  assert(pthread_attr_destroy(&attr) == 0);
  for (int i = 0; i < 3; i++) assert(sem_wait(&done) == 0);
  assert(atomic_load(&count) == 3);
  return 0;
}
