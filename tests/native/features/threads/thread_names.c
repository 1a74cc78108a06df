// Thread attributes that tools like: names, ids, stack bounds, affinity, concurrency.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static void* run(void* unused) {
  (void)unused;
  assert(pthread_setname_np(pthread_self(), "worker") == 0);
  char name[16];
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
  assert(strcmp(name, "worker") == 0);
  pthread_attr_t attr;
  void* low;
  size_t size;
  assert(pthread_getattr_np(pthread_self(), &attr) == 0);
  assert(pthread_attr_getstack(&attr, &low, &size) == 0);
  char here;
  assert((char*)low < &here && &here < (char*)low + size);
  assert(pthread_attr_destroy(&attr) == 0);
  assert(getpid() > 0);
  return 0;
}

int main(void) {
  pthread_t t;
  assert(pthread_create(&t, 0, run, 0) == 0);
  assert(pthread_join(t, 0) == 0);
  assert(sysconf(_SC_NPROCESSORS_ONLN) > 0);
  assert(sysconf(_SC_PAGESIZE) > 0);
  return 0;
}
