// Computes for ever in one step.
#include <pthread.h>

volatile unsigned long sum;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

__attribute__((no_sanitize("thread"))) static void compute(void) {
  for (;;) sum = sum + 1;
}

static void* work(void* unused) {
  pthread_mutex_lock(&m);
  compute();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
}
