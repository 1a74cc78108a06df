// exit() in a thread ends the process, although main still waits; atexit handlers run.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t never;
static int prepared;

static void check(void) {
  if (prepared != 1) abort();
}

static void* leave(void* unused) {
  (void)unused;
  prepared = 1;
  exit(0);
}

int main(void) {
  pthread_t t;
  assert(atexit(check) == 0);
  assert(sem_init(&never, 0, 0) == 0);
  assert(pthread_create(&t, 0, leave, 0) == 0);
  sem_wait(&never);
  abort();
}
