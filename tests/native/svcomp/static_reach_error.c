// The same with a function that only this file has, and that an optimising compiler inlines.
#include <assert.h>
#include <pthread.h>
static inline void reach_error(void) { assert(0); }
_Atomic int x;
static void *add(void *unused) {
  x = x + 1;
  return unused;
}
int main() {
  pthread_t a;
  pthread_create(&a, 0, add, 0);
  x = x + 1;
  pthread_join(a, 0);
  if (x != 2) reach_error();
  return 0;
}
