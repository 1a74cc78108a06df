// An index that two threads advance is used after the check and lies behind the end.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int next_index;
static atomic_int* cells;

static void* append(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    if (atomic_load(&next_index) < 3) {
      int at = atomic_fetch_add(&next_index, 1);
      atomic_store(&cells[at], 1);  // BUG-LINE
    }
  }
  return 0;
}

int main(void) {
  cells = malloc(3 * sizeof *cells);
  for (int i = 0; i < 3; i++) atomic_init(&cells[i], 0);
  pthread_t t;
  pthread_create(&t, 0, append, 0);
  append(0);
  pthread_join(t, 0);
  free(cells);
  return 0;
}
