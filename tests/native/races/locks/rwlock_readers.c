// Readers share, the writer does not.
#include <pthread.h>

int value;
volatile int seen;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* run(void* unused) {
  (void)unused;
  pthread_rwlock_wrlock(&lock);
  value = 1;
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_rwlock_rdlock(&lock);
  seen = value;
  pthread_rwlock_unlock(&lock);
  pthread_join(t, 0);
  return 0;
}
