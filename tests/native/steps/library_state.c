// A loop that looks the same in every round, and ends when a library, which is not instrumented, has
// changed its own memory often enough.
#include <stdatomic.h>
#include <stdlib.h>

static volatile int table[4];
static atomic_int done;

int main(void) {
  srand48(1);
  while (lrand48() != 679110134) {  // the 3,000,000th number
    (void)table[3];
  }
  atomic_store(&done, 1);
  return 0;
}
