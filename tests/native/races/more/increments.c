// Two threads increment a variable twice each, in two steps: a load, then a store.
// ATOMIC, VOLATILE, PLAIN: what kind of accesses these are.
#include <pthread.h>
#include <stdatomic.h>

#if defined(ATOMIC)
atomic_int x;
#define READ atomic_load(&x)
#define WRITE(value) atomic_store(&x, value)
#elif defined(VOLATILE)
volatile int x;
#define READ x
#define WRITE(value) x = value
#else
int x;
#define READ x
// Without this the compiler would keep x in a register.
#define WRITE(value) \
  x = value;         \
  asm volatile("" ::: "memory")
#endif

static void* increment(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    int v = READ;
    WRITE(v + 1);
  }
  return 0;
}

int main(void) {
  pthread_t thread[2];
  for (int i = 0; i < 2; i++) pthread_create(&thread[i], 0, increment, 0);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], 0);
}
