// Every thread has its own.
#include <pthread.h>

_Thread_local int mine;

static void* run(void* unused) {
  (void)unused;
  mine++;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  mine++;
  pthread_join(t, 0);
  return 0;
}
