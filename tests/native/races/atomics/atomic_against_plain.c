// An atomic increment against a plain one.
#include <pthread.h>

int counter;

static void* run(void* unused) {
  (void)unused;
  __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  counter++;
  pthread_join(t, 0);
  return 0;
}
