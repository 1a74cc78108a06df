/* A program of SV-COMP's kind: the names are declared only. */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void* add(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  shared += 1;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n < 100);
  pthread_mutex_lock(&mutex);
  if (n + shared == 11) reach_error();
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
