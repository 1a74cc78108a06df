// A broadcast wakes every waiter, whoever waits already and whoever comes later.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go;
static int started, woken;

static void* wait_for_start(void* unused) {
  (void)unused;
  assert(pthread_mutex_lock(&m) == 0);
  while (!started) assert(pthread_cond_wait(&go, &m) == 0);
  woken++;
  assert(pthread_mutex_unlock(&m) == 0);
  return 0;
}

int main(void) {
  pthread_t t[2];
  assert(pthread_cond_init(&go, 0) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_create(&t[i], 0, wait_for_start, 0) == 0);
  assert(pthread_mutex_lock(&m) == 0);
  started = 1;
  assert(pthread_cond_broadcast(&go) == 0);
  assert(pthread_mutex_unlock(&m) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(t[i], 0) == 0);
  assert(woken == 2);
  assert(pthread_cond_destroy(&go) == 0);
  return 0;
}
