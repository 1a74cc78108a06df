// A write to memory that cannot be written, when the default has not been replaced in time.
#include <pthread.h>
#include <stdatomic.h>

static const char fixed[] = "fixed";
static char scratch[8];
static _Atomic(char*) target = (char*)fixed;

static void* replace(void* unused) {
  (void)unused;
  atomic_store(&target, scratch);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, replace, 0);
  volatile char* p = atomic_load(&target);
  p[0] = 'x';  // BUG-LINE
  pthread_join(t, 0);
  return 0;
}
