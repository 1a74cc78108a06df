// A thread-local variable of one thread, written by another through a pointer.
#include <pthread.h>

_Thread_local int mine;
int* shared;

static void* run(void* unused) {
  (void)unused;
  *shared = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  shared = &mine;
  pthread_create(&t, 0, run, 0);
  mine = 2;
  pthread_join(t, 0);
  return 0;
}
