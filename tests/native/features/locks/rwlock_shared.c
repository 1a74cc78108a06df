// Two readers hold a reader-writer lock at the same time: a barrier inside proves it.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock;
static pthread_barrier_t both_inside;

static void* reader(void* unused) {
  (void)unused;
  assert(pthread_rwlock_rdlock(&lock) == 0);
  pthread_barrier_wait(&both_inside);
  assert(pthread_rwlock_unlock(&lock) == 0);
  return 0;
}

int main(void) {
  pthread_t t;
  assert(pthread_rwlock_init(&lock, 0) == 0);
  assert(pthread_barrier_init(&both_inside, 0, 2) == 0);
  assert(pthread_create(&t, 0, reader, 0) == 0);
  reader(0);
  assert(pthread_join(t, 0) == 0);
  assert(pthread_rwlock_destroy(&lock) == 0);
  return 0;
}
