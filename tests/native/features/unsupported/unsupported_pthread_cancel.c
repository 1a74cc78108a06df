// pthread_cancel: outside what is controlled.
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void* run(void* unused) {
  (void)unused;
  sem_wait(&never);
  return 0;
}

int main(void) {
  pthread_t t;
  sem_init(&never, 0, 0);
  pthread_create(&t, 0, run, 0);
  pthread_cancel(t);
  pthread_join(t, 0);
  return 0;
}
