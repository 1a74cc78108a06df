// A lock that was not got protects nothing.
#include <pthread.h>

int counter;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

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
  int got = pthread_mutex_trylock(&m) == 0;
  counter++;
  if (got) pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
