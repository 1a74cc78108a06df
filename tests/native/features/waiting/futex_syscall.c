// A lock made of the futex system call itself, and its return values.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

// 0: free, 1: held, 2: held and perhaps waited for.
static atomic_int lock;
static int value;

static long futex(atomic_int* at, int op, int val) {
  return syscall(SYS_futex, at, op | FUTEX_PRIVATE_FLAG, val, 0, 0, 0);
}

static void acquire(void) {
  int free = 0;
  if (atomic_compare_exchange_strong(&lock, &free, 1)) return;
  while (atomic_exchange(&lock, 2) != 0) {
    long result = futex(&lock, FUTEX_WAIT, 2);
    assert(result == 0 || errno == EAGAIN || errno == EINTR);
  }
}

static void release(void) {
  if (atomic_exchange(&lock, 0) == 2) {
    long woken = futex(&lock, FUTEX_WAKE, 1);
    assert(woken == 0 || woken == 1);
  }
}

static void* add(void* unused) {
  (void)unused;
  acquire();
  value++;
  release();
  return 0;
}

int main(void) {
  pthread_t t;
  assert(futex(&lock, FUTEX_WAKE, 1) == 0);
  errno = 0;
  assert(futex(&lock, FUTEX_WAIT, 5) == -1 && errno == EAGAIN);
  assert(pthread_create(&t, 0, add, 0) == 0);
  add(0);
  assert(pthread_join(t, 0) == 0);
  assert(value == 2);
  assert(atomic_load(&lock) == 0);
  return 0;
}
