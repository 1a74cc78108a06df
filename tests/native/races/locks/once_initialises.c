// pthread_once orders the initialisation before every use.
#include <pthread.h>

int value;
volatile int seen[2];
pthread_once_t once = PTHREAD_ONCE_INIT;
static void initialise(void) { value = 5; }

static void* run(void* unused) {
  (void)unused;
  pthread_once(&once, initialise);
  seen[0] = value;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_once(&once, initialise);
  seen[1] = value;
  pthread_join(t, 0);
  return 0;
}
