// Spin locks: exclusion, and EBUSY from the try form.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int value;

static void* add(void* unused) {
  (void)unused;
  assert(pthread_spin_lock(&lock) == 0);
  value++;
  assert(pthread_spin_unlock(&lock) == 0);
  return 0;
}

static void* refused(void* unused) {
  (void)unused;
  assert(pthread_spin_trylock(&lock) == EBUSY);
  return 0;
}

int main(void) {
  pthread_t t[2];
  assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_create(&t[i], 0, add, 0) == 0);
  add(0);
  for (int i = 0; i < 2; i++) assert(pthread_join(t[i], 0) == 0);
  assert(value == 3);
  assert(pthread_spin_trylock(&lock) == 0);
  assert(pthread_create(&t[0], 0, refused, 0) == 0);
  assert(pthread_join(t[0], 0) == 0);
  assert(pthread_spin_unlock(&lock) == 0);
  assert(pthread_spin_destroy(&lock) == 0);
  return 0;
}
