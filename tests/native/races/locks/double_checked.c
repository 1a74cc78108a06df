// Double-checked locking with a plain flag.
#include <pthread.h>

int ready, value;
volatile int seen[2];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void initialise(void) {
  if (ready) return;
  pthread_mutex_lock(&m);
  if (!ready) value = 5;
  ready = 1;
  pthread_mutex_unlock(&m);
}

static void* run(void* unused) {
  (void)unused;
  initialise();
  seen[0] = value;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  initialise();
  seen[1] = value;
  pthread_join(t, 0);
  return 0;
}
