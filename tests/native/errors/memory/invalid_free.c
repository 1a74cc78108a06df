// free() of a pointer that does not come from malloc, if the replacement was not in time.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char fallback[16];
static _Atomic(char*) buffer = fallback;

static void* replace(void* unused) {
  (void)unused;
  atomic_store(&buffer, malloc(16));
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, replace, 0);
  free(atomic_exchange(&buffer, 0));  // BUG-LINE
  pthread_join(t, 0);
  free(atomic_load(&buffer));
  return 0;
}
