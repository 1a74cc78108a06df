// A plain variable that both threads touch.
#include <pthread.h>

int flag;

static void* work(void* unused) {
  flag = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  const int seen = flag;
  pthread_join(thread, 0);
  return seen == 2;
}
