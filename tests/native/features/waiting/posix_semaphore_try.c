// sem_trywait takes what is there or fails with EAGAIN; sem_getvalue tells the count.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int took[2];

static void* attempt(void* p) {
  long id = (long)p;
  int result = sem_trywait(&s);
  if (result == 0) {
    took[id] = 1;
  } else {
    assert(result == -1 && errno == EAGAIN);
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  int value = -1;
  assert(sem_init(&s, 0, 1) == 0);
  assert(sem_getvalue(&s, &value) == 0 && value == 1);
  for (long i = 0; i < 2; i++) assert(pthread_create(&t[i], 0, attempt, (void*)i) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(t[i], 0) == 0);
  assert(took[0] + took[1] == 1);
  assert(sem_getvalue(&s, &value) == 0 && value == 0);
  errno = 0;
  assert(sem_trywait(&s) == -1 && errno == EAGAIN);
  assert(sem_post(&s) == 0);
  assert(sem_post(&s) == 0);
  assert(sem_getvalue(&s, &value) == 0 && value == 2);
  assert(sem_trywait(&s) == 0);
  return 0;
}
