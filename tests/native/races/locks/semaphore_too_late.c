// The data is written after the semaphore was posted.
#include <pthread.h>
#include <semaphore.h>

int value;
volatile int seen;
sem_t ready;

static void* run(void* unused) {
  (void)unused;
  sem_post(&ready);
  value = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  sem_wait(&ready);
  seen = value;
  pthread_join(t, 0);
  return 0;
}
