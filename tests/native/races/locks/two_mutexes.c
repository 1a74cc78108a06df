// Each thread locks, but not the same mutex.
#include <pthread.h>

int counter;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void* run(void* unused) {
  (void)unused;
  pthread_mutex_lock(&m);
  counter++;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&n);
  counter++;
  pthread_mutex_unlock(&n);
  pthread_join(t, 0);
  return 0;
}
