// Division by a number that another thread may have made zero.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor = 1;
static atomic_int result;

static void* clear(void* unused) {
  (void)unused;
  atomic_store(&divisor, 0);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, clear, 0);
  int by = atomic_load(&divisor);
  atomic_store(&result, 10 / by);  // BUG-LINE
  pthread_join(t, 0);
  return 0;
}
