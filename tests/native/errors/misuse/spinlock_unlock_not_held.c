// A thread unlocks a spinlock that only another one holds.
#include <pthread.h>

static pthread_spinlock_t lock;

static void* hold(void* unused) {
  (void)unused;
  pthread_spin_lock(&lock);
  pthread_spin_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&t, 0, hold, 0);
  if (pthread_spin_trylock(&lock) == 0) {
    pthread_spin_unlock(&lock);
  } else {
    pthread_spin_unlock(&lock);  // BUG-LINE
  }
  pthread_join(t, 0);
  return 0;
}
