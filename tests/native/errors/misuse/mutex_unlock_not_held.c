// A thread unlocks a mutex that another one may hold.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

static void* hold(void* unused) {
  (void)unused;
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&other);
  pthread_mutex_unlock(&other);
  pthread_mutex_unlock(&m);  // BUG-LINE
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, hold, 0);
  if (pthread_mutex_trylock(&m) == 0) {
    pthread_mutex_unlock(&m);
  } else {
    pthread_mutex_unlock(&m);  // BUG-LINE
  }
  pthread_join(t, 0);
  return 0;
}
