// An error-checking mutex reports misuse by its return value instead of blocking: EDEADLK for a
// second lock, EPERM for unlocking what one does not hold.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static int a;

static void* run(void* unused) {
  (void)unused;
  assert(pthread_mutex_lock(&m) == 0);
  assert(pthread_mutex_lock(&m) == EDEADLK);
  assert(pthread_mutex_trylock(&m) == EBUSY);
  a++;
  assert(pthread_mutex_unlock(&m) == 0);
  return 0;
}

static void* stranger(void* unused) {
  (void)unused;
  assert(pthread_mutex_unlock(&m) == EPERM);
  return 0;
}

int main(void) {
  pthread_mutexattr_t attr;
  assert(pthread_mutexattr_init(&attr) == 0);
  assert(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK) == 0);
  assert(pthread_mutex_init(&m, &attr) == 0);
  assert(pthread_mutexattr_destroy(&attr) == 0);
  assert(pthread_mutex_unlock(&m) == EPERM);
  pthread_t t, s;
  assert(pthread_create(&t, 0, run, 0) == 0);
  run(0);
  assert(pthread_join(t, 0) == 0);
  assert(a == 2);
  assert(pthread_mutex_lock(&m) == 0);
  assert(pthread_create(&s, 0, stranger, 0) == 0);
  assert(pthread_join(s, 0) == 0);
  assert(pthread_mutex_unlock(&m) == 0);
  assert(pthread_mutex_destroy(&m) == 0);
  return 0;
}
