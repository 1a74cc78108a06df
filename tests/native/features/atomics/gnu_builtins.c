// The older builtins: __sync_* and __atomic_*.
#include <assert.h>
#include <pthread.h>

static int a, b;
static long lock;

static void* run(void* unused) {
  (void)unused;
  __sync_fetch_and_add(&a, 1);
  __atomic_add_fetch(&b, 1, __ATOMIC_ACQ_REL);
  return 0;
}

int main(void) {
  pthread_t t;
  assert(pthread_create(&t, 0, run, 0) == 0);
  __sync_add_and_fetch(&a, 1);
  __atomic_fetch_add(&b, 1, __ATOMIC_RELAXED);
  assert(pthread_join(t, 0) == 0);
  assert(a == 2 && b == 2);
  assert(__sync_bool_compare_and_swap(&a, 2, 3));
  assert(__sync_val_compare_and_swap(&a, 2, 4) == 3);
  assert(__atomic_exchange_n(&b, 7, __ATOMIC_SEQ_CST) == 2);
  assert(__sync_lock_test_and_set(&lock, 1) == 0);
  assert(__sync_lock_test_and_set(&lock, 1) == 1);
  __sync_lock_release(&lock);
  assert(__atomic_load_n(&lock, __ATOMIC_ACQUIRE) == 0);
  __sync_synchronize();
  assert(__atomic_nand_fetch(&b, 3, __ATOMIC_SEQ_CST) == ~3);
  return 0;
}
