// Ends of executions that are no violation: abort as an assumption and exit, also in an atomic
// section, a failed assertion, a deadlock, a loop that waits for ever, and what main returns.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);
static void assume_abort_if_not(int condition) {
  if (!condition) abort();
}
int x, half, done;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *first(void *unused) {
  x = 1;
  __VERIFIER_atomic_begin();
  half = 1;
  if (x == 3) exit(0);
  assume_abort_if_not(x == 1);
  half = 0;
  __VERIFIER_atomic_end();
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return unused;
}
static void *second(void *unused) {
  x = 2;
  __VERIFIER_atomic_begin();
  if (half) reach_error();
  __VERIFIER_atomic_end();
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  assert(x == 1);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}
static void *third(void *unused) {
  if (x == 3) exit(4);
  while (!done) {
  }
  return unused;
}
int main() {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_create(&threads[2], 0, third, 0);
  x = 3;
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  if (x == 0) reach_error();
  return 5;
}
