// A thread unlocks a reader-writer lock that only another one holds, for reading.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* read_it(void* unused) {
  (void)unused;
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, read_it, 0);
  if (pthread_rwlock_trywrlock(&lock) == 0) {
    pthread_rwlock_unlock(&lock);
  } else {
    pthread_rwlock_unlock(&lock);  // BUG-LINE
  }
  pthread_join(t, 0);
  return 0;
}
