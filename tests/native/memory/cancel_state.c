// Every thread begins with cancellation enabled and deferred, main as well.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void* disable(void* unused) {
  int before = -1;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before) == 0);
  assert(before == PTHREAD_CANCEL_ENABLE);
  assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before) == 0);
  assert(before == PTHREAD_CANCEL_DEFERRED);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, disable, NULL);
  disable(NULL);
  pthread_join(thread, NULL);
}
