// A race inside a function that __tsan_default_suppressions names is no error.
#include <assert.h>
#include <pthread.h>

const char* __tsan_default_suppressions(void);
const char* __tsan_default_suppressions(void) {
  return "# a comment\nrace:known_to_race\nrace:^nothing_else$\n";
}

static volatile int approximate;

__attribute__((noinline)) static void known_to_race(void) { approximate = approximate + 1; }

static void* run(void* unused) {
  (void)unused;
  known_to_race();
  return 0;
}

int main(void) {
  pthread_t t;
  assert(pthread_create(&t, 0, run, 0) == 0);
  known_to_race();
  assert(pthread_join(t, 0) == 0);
  assert(approximate == 1 || approximate == 2);
  return 0;
}
