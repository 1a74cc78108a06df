// A task whose reach_error does nothing: the call is the violation.
#include <pthread.h>
extern void abort(void);
void reach_error() {}
static void check(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}
int x;
static void *add(void *unused) {
  x = x + 1;
  return unused;
}
int main() {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  check(x == 2);
  return 0;
}
