// The same with a futex.
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint word;

static void* give(void* unused) {
  word = 1;
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
  return unused;
}

int main(void) {
  pthread_t giver;
  pthread_create(&giver, 0, give, 0);
#ifdef LOOP
  while (word == 0) syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
#else
  if (word == 0) syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
#endif
  assert(word == 1);
  pthread_join(giver, 0);
}
