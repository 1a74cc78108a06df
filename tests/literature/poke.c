// POKE(N,K): N writers each set a flag of their own; K times, a chooser steps an index through
// 1..N-1 while a poker takes the flag that the index names when it looks. Table 1 of "Quasi-Optimal
// Partial Order Reduction", where it is also called POL.
#include <pthread.h>

#ifndef N
#define N 7
#endif
#ifndef K
#define K 3
#endif

static pthread_mutex_t ma[N] = {[0 ... N - 1] = PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t mi = PTHREAD_MUTEX_INITIALIZER;
static int a[N];
static int index_;
static int taken;

static void* writer(void* id) {
  long i = (long)id;
  pthread_mutex_lock(&ma[i]);
  a[i] = 1;
  pthread_mutex_unlock(&ma[i]);
  return 0;
}

static void* chooser(void* unused) {
  (void)unused;
  for (int x = 1; x < N; x++) {
    pthread_mutex_lock(&mi);
    index_ = x;
    pthread_mutex_unlock(&mi);
  }
  return 0;
}

static void* poker(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mi);
  int i = index_;
  pthread_mutex_unlock(&mi);
  pthread_mutex_lock(&ma[i]);
  if (a[i] == 1) {
    a[i] = 0;
    taken++;
  }
  pthread_mutex_unlock(&ma[i]);
  return 0;
}

int main(void) {
  pthread_t thread[N];
  for (long i = 0; i < N; i++) pthread_create(&thread[i], 0, writer, (void*)i);
  for (int k = 0; k < K; k++) {
    pthread_t c, p;
    pthread_create(&c, 0, chooser, 0);
    pthread_create(&p, 0, poker, 0);
    pthread_join(c, 0);
    pthread_join(p, 0);
  }
  for (int i = 0; i < N; i++) pthread_join(thread[i], 0);
}
