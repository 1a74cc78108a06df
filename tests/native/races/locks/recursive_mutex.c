// The inner unlock of a recursive mutex gives nothing away.
#include <pthread.h>

int counter;
pthread_mutex_t m;
static void add(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  counter++;
  pthread_mutex_unlock(&m);
  counter++;
  pthread_mutex_unlock(&m);
}

static void* run(void* unused) {
  (void)unused;
  add();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &recursive);
  pthread_create(&t, 0, run, 0);
  add();
  pthread_join(t, 0);
  return 0;
}
