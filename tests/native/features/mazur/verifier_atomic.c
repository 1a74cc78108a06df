// SV-COMP's atomic functions: names that begin with __VERIFIER_atomic_ and begin/end.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, y;

static int twice(int value) { return value + value; }

static void __VERIFIER_atomic_write(int value) {
  x = value;
  y = twice(value);
}

static int __VERIFIER_atomic_read(void) { return twice(x) == y; }

static void* writer(void* argument) {
  (void)argument;
  __VERIFIER_atomic_write(3);
  __VERIFIER_atomic_begin();
  x = 4;
  y = 8;
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  assert(__VERIFIER_atomic_read());
  assert(__VERIFIER_atomic_read());
  pthread_join(thread, 0);
  return 0;
}
