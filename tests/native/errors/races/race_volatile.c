// volatile is not atomic.
#include <pthread.h>

static volatile int flag;

static void* run(void* unused) {
  (void)unused;
  flag = 1;  // BUG-LINE
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  int seen = flag;  // BUG-LINE
  pthread_join(t, 0);
  return seen > 1;
}
