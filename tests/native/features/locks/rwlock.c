// A reader-writer lock: a writer is alone, readers see no half-done write.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int left, right;

static void* writer(void* unused) {
  (void)unused;
  assert(pthread_rwlock_wrlock(&lock) == 0);
  left++;
  right++;
  assert(pthread_rwlock_unlock(&lock) == 0);
  return 0;
}

static void* reader(void* unused) {
  (void)unused;
  assert(pthread_rwlock_rdlock(&lock) == 0);
  assert(left == right);
  assert(pthread_rwlock_unlock(&lock) == 0);
  return 0;
}

int main(void) {
  pthread_t t[3];
  assert(pthread_create(&t[0], 0, writer, 0) == 0);
  assert(pthread_create(&t[1], 0, reader, 0) == 0);
  assert(pthread_create(&t[2], 0, reader, 0) == 0);
  writer(0);
  for (int i = 0; i < 3; i++) assert(pthread_join(t[i], 0) == 0);
  assert(left == 2 && right == 2);
  assert(pthread_rwlock_destroy(&lock) == 0);
  return 0;
}
