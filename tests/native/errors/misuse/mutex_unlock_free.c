// A mutex that nobody holds is unlocked, in every schedule.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* run(void* unused) {
  (void)unused;
  pthread_mutex_unlock(&m);  // BUG-LINE
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return 0;
}
