// pthread_self is what pthread_create wrote, and stays the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_t seen[2];

static void* note(void* index) {
  seen[(long)index] = pthread_self();
  assert(pthread_equal(pthread_self(), pthread_self()));
  return 0;
}

int main(void) {
  pthread_t self = pthread_self();
  pthread_t t[2];
  for (long i = 0; i < 2; i++) assert(pthread_create(&t[i], 0, note, (void*)i) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(t[i], 0) == 0);
  assert(pthread_equal(seen[0], t[0]) && pthread_equal(seen[1], t[1]));
  assert(!pthread_equal(seen[0], self) && !pthread_equal(seen[1], self));
  assert(pthread_equal(self, pthread_self()));
  return 0;
}
