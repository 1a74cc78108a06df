// Many threads store a and then b; one that looks sees the stores of none of them, or of all, if
// nobody is interrupted between the two. In the style of reorder_N of the SCTBench programs: one
// thread out of SETTERS must have stopped half way, and no other may have got past its second
// store.
//
// To be checked with --races=explore: the plain accesses are meant to race.
#include <assert.h>
#include <pthread.h>

#ifndef SETTERS
#define SETTERS 9
#endif

static int a, b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void guard(void) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
}

static void unguard(void) {
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
}

static void* set(void* unused) {
  guard();
  a = 1;
  b = -1;
  unguard();
  return unused;
}

static void* look(void* unused) {
  guard();
  const int seen_a = a, seen_b = b;
  unguard();
  assert(seen_a + seen_b == 0);
  return unused;
}

int main(void) {
  pthread_t threads[SETTERS + 1];
  for (int i = 0; i < SETTERS; ++i) pthread_create(&threads[i], 0, set, 0);
  pthread_create(&threads[SETTERS], 0, look, 0);
  for (int i = 0; i <= SETTERS; ++i) pthread_join(threads[i], 0);
}
