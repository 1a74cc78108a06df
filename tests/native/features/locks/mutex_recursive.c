// A recursive mutex can be taken again by its holder and is free after as many unlocks.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static pthread_mutex_t fixed = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int a;

static void add(int depth) {
  assert(pthread_mutex_lock(&m) == 0);
  assert(pthread_mutex_trylock(&fixed) == 0);
  if (depth > 0) {
    add(depth - 1);
  } else {
    a++;
  }
  assert(pthread_mutex_unlock(&fixed) == 0);
  assert(pthread_mutex_unlock(&m) == 0);
}

static void* run(void* unused) {
  (void)unused;
  add(1);
  return 0;
}

static void* unlock_what_it_does_not_hold(void* unused) {
  (void)unused;
  assert(pthread_mutex_unlock(&m) == EPERM);
  return 0;
}

int main(void) {
  pthread_mutexattr_t attr;
  int type;
  assert(pthread_mutexattr_init(&attr) == 0);
  assert(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE) == 0);
  assert(pthread_mutexattr_gettype(&attr, &type) == 0 && type == PTHREAD_MUTEX_RECURSIVE);
  assert(pthread_mutex_init(&m, &attr) == 0);
  assert(pthread_mutexattr_destroy(&attr) == 0);
  pthread_t t;
  assert(pthread_create(&t, 0, run, 0) == 0);
  add(1);
  assert(pthread_join(t, 0) == 0);
  assert(a == 2);
  assert(pthread_create(&t, 0, unlock_what_it_does_not_hold, 0) == 0);
  assert(pthread_join(t, 0) == 0);
  assert(pthread_mutex_destroy(&m) == 0);
  return 0;
}
