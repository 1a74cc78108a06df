// The try forms of a reader-writer lock: EBUSY exactly when they would have to wait.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* beside_a_reader(void* unused) {
  (void)unused;
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  return 0;
}

static void* beside_a_writer(void* unused) {
  (void)unused;
  assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  return 0;
}

static int wrote;

static void* compete(void* unused) {
  (void)unused;
  int result = pthread_rwlock_trywrlock(&lock);
  if (result == 0) {
    wrote++;
    assert(pthread_rwlock_unlock(&lock) == 0);
  } else {
    assert(result == EBUSY);
  }
  return 0;
}

int main(void) {
  pthread_t t, u;
  assert(pthread_rwlock_rdlock(&lock) == 0);
  assert(pthread_create(&t, 0, beside_a_reader, 0) == 0);
  assert(pthread_join(t, 0) == 0);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_wrlock(&lock) == 0);
  assert(pthread_create(&t, 0, beside_a_writer, 0) == 0);
  assert(pthread_join(t, 0) == 0);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_create(&t, 0, compete, 0) == 0);
  assert(pthread_create(&u, 0, compete, 0) == 0);
  assert(pthread_join(t, 0) == 0);
  assert(pthread_join(u, 0) == 0);
  assert(wrote == 1 || wrote == 2);
  return 0;
}
