// Standard input is empty: whoever reads from it, in whatever order, sees its end.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void* run(void* unused) {
  (void)unused;
  char byte;
  assert(read(0, &byte, 1) == 0);
  return 0;
}

int main(void) {
  pthread_t t;
  assert(pthread_create(&t, 0, run, 0) == 0);
  assert(getchar() == EOF && feof(stdin));
  assert(pthread_join(t, 0) == 0);
  return 0;
}
