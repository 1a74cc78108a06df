// errno belongs to the thread: a failure in one does not show in the other.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static void* fail(void* unused) {
  (void)unused;
  assert(errno == 0);
  assert(close(-1) == -1 && errno == EBADF);
  sched_yield();
  assert(errno == EBADF);
  return 0;
}

int main(void) {
  pthread_t t;
  errno = ERANGE;
  assert(pthread_create(&t, 0, fail, 0) == 0);
  sched_yield();
  assert(errno == ERANGE);
  assert(pthread_join(t, 0) == 0);
  assert(errno == ERANGE);
  return 0;
}
