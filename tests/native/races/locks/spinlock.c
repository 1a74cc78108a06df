// A spin lock.
#include <pthread.h>

int counter;
pthread_spinlock_t lock;

static void* run(void* unused) {
  (void)unused;
  pthread_spin_lock(&lock);
  counter++;
  pthread_spin_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_spin_init(&lock, 0);
  pthread_create(&t, 0, run, 0);
  pthread_spin_lock(&lock);
  counter++;
  pthread_spin_unlock(&lock);
  pthread_join(t, 0);
  return 0;
}
