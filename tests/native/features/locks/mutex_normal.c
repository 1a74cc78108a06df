// A plain mutex, initialised statically and dynamically, keeps two counters exact.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t fixed = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t made;
static int a, b;

static void* add(void* unused) {
  (void)unused;
  assert(pthread_mutex_lock(&fixed) == 0);
  a++;
  assert(pthread_mutex_lock(&made) == 0);
  b++;
  assert(pthread_mutex_unlock(&made) == 0);
  assert(pthread_mutex_unlock(&fixed) == 0);
  return 0;
}

int main(void) {
  pthread_t t[2];
  assert(pthread_mutex_init(&made, 0) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_create(&t[i], 0, add, 0) == 0);
  add(0);
  for (int i = 0; i < 2; i++) assert(pthread_join(t[i], 0) == 0);
  assert(a == 3 && b == 3);
  assert(pthread_mutex_destroy(&made) == 0);
  assert(pthread_mutex_destroy(&fixed) == 0);
  return 0;
}
