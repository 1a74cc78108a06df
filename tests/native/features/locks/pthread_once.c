// pthread_once: one of the threads runs the initialiser, all of them see its effect.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int initialised;

static void initialise(void) { initialised++; }

static void* use(void* unused) {
  (void)unused;
  assert(pthread_once(&once, initialise) == 0);
  assert(initialised == 1);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&t[i], 0, use, 0) == 0);
  use(0);
  for (int i = 0; i < 2; i++) assert(pthread_join(t[i], 0) == 0);
  assert(initialised == 1);
  return 0;
}
