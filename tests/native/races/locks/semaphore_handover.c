// A semaphore hands the data over.
#include <pthread.h>
#include <semaphore.h>

int value;
volatile int seen;
sem_t ready;

static void* run(void* unused) {
  (void)unused;
  value = 1;
  sem_post(&ready);
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
