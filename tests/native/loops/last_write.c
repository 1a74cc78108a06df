// A loop that waits for the last of n stores of another thread. With a second argument: one that counts
// how often it has read something new, which must not be so often.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int written;
int last;

void* write_all(void* unused) {
  for (int i = 1; i <= last; ++i) atomic_store(&written, i);
  return unused;
}

int main(int count, char** arguments) {
  const int all = last = atoi(arguments[1]);
  pthread_t writer;
  pthread_create(&writer, NULL, write_all, NULL);
  if (count == 2) {
    while (atomic_load(&written) != all) {
    }
  } else {
    int seen = 0, changes = 0, now;
    while ((now = atomic_load(&written)) != all)
      if (now != seen) {
        seen = now;
        ++changes;
      }
    assert(changes != atoi(arguments[2]));
  }
  pthread_join(writer, NULL);
}
