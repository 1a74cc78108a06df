// Two units for two threads that need two each.
#include <pthread.h>
#include <semaphore.h>

static sem_t units;

static void* use_both(void* unused) {
  (void)unused;
  sem_wait(&units);
  sem_wait(&units);  // BUG-LINE
  sem_post(&units);
  sem_post(&units);
  return 0;
}

int main(void) {
  pthread_t a, b;
  sem_init(&units, 0, 2);
  pthread_create(&a, 0, use_both, 0);
  pthread_create(&b, 0, use_both, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
