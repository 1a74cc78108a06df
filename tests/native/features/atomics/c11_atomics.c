// <stdatomic.h>: generic functions, flags, fences, and an atomic struct.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct point {
  int x, y;
};

static atomic_int counter = 1;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static _Atomic(struct point) point;
static atomic_uintptr_t word;

static void* run(void* unused) {
  (void)unused;
  atomic_fetch_add_explicit(&counter, 2, memory_order_relaxed);
  struct point p = {3, 3};
  atomic_store(&point, p);
  return 0;
}

int main(void) {
  pthread_t t;
  assert(pthread_create(&t, 0, run, 0) == 0);
  counter += 4;
  counter++;
  struct point p = atomic_load(&point);
  assert(p.x == p.y && (p.x == 0 || p.x == 3));
  assert(pthread_join(t, 0) == 0);
  assert(atomic_load(&counter) == 8);
  assert(atomic_exchange(&counter, 5) == 8);
  int expected = 4;
  assert(!atomic_compare_exchange_strong(&counter, &expected, 6) && expected == 5);
  assert(atomic_compare_exchange_strong_explicit(&counter, &expected, 6, memory_order_acq_rel,
                                                 memory_order_acquire));
  assert(atomic_fetch_or(&counter, 1) == 6);
  assert(atomic_fetch_and(&counter, 3) == 7);
  assert(atomic_fetch_xor(&counter, 1) == 3);
  assert(atomic_fetch_sub(&counter, 1) == 2 && atomic_load(&counter) == 1);
  assert(!atomic_flag_test_and_set(&flag));
  assert(atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
  atomic_flag_clear(&flag);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_seq_cst);
  atomic_init(&word, 9);
  assert(atomic_load(&word) == 9);
  p = atomic_load(&point);
  assert(p.x == 3 && p.y == 3);
  return 0;
}
