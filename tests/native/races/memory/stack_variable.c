// A local variable whose address another thread got.
#include <pthread.h>

static void* run(void* local) {
  *(int*)local = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  volatile int local = 0;
  pthread_create(&t, 0, run, (void*)&local);
  local = 2;
  pthread_join(t, 0);
  return local == 0;
}
