// FUTEX_WAIT_BITSET and FUTEX_WAKE_BITSET: a wake reaches only waiters whose mask it meets, and an
// elapsed absolute deadline times out.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word;

static long wait_bitset(int val, const struct timespec* deadline, unsigned mask) {
  return syscall(SYS_futex, &word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, val, deadline, 0, mask);
}

static long wake_bitset(int n, unsigned mask) {
  return syscall(SYS_futex, &word, FUTEX_WAKE_BITSET | FUTEX_PRIVATE_FLAG, n, 0, 0, mask);
}

static void* wait_for_change(void* mask) {
  while (atomic_load(&word) == 0) {
    long result = wait_bitset(0, 0, (unsigned)(long)mask);
    assert(result == 0 || errno == EAGAIN);
  }
  return 0;
}

int main(void) {
  struct timespec past = {0, 1};
  errno = 0;
  assert(wait_bitset(0, &past, FUTEX_BITSET_MATCH_ANY) == -1 && errno == ETIMEDOUT);
  errno = 0;
  assert(wait_bitset(1, 0, FUTEX_BITSET_MATCH_ANY) == -1 && errno == EAGAIN);
  errno = 0;
  assert(wait_bitset(0, 0, 0) == -1 && errno == EINVAL);
  pthread_t a, b;
  assert(pthread_create(&a, 0, wait_for_change, (void*)1) == 0);
  assert(pthread_create(&b, 0, wait_for_change, (void*)2) == 0);
  atomic_store(&word, 1);
  long woken = wake_bitset(INT_MAX, 1);
  assert(woken == 0 || woken == 1);
  woken = wake_bitset(INT_MAX, 2);
  assert(woken == 0 || woken == 1);
  assert(pthread_join(a, 0) == 0);
  assert(pthread_join(b, 0) == 0);
  assert(wake_bitset(INT_MAX, FUTEX_BITSET_MATCH_ANY) == 0);
  return 0;
}
