// DISP(S,R): a dispatcher. S servers wait for nothing and touch their own state once; main makes R
// requests, each to the server that a picker has most recently named. Table 1 of "Quasi-Optimal
// Partial Order Reduction". Main ends without joining the servers.
#include <pthread.h>

#ifndef S
#define S 5
#endif
#ifndef R
#define R 2
#endif

static pthread_mutex_t m[S] = {[0 ... S - 1] = PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER;
static int state[S];
static int sid;

static void touch(int i) {
  pthread_mutex_lock(&m[i]);
  state[i]++;
  pthread_mutex_unlock(&m[i]);
}

static void* server(void* id) {
  touch((int)(long)id);
  return 0;
}

static void* picker(void* unused) {
  (void)unused;
  for (int x = 0; x < S; x++) {
    pthread_mutex_lock(&k);
    sid = x;
    pthread_mutex_unlock(&k);
  }
  return 0;
}

int main(void) {
  for (long i = 0; i < S; i++) {
    pthread_t t;
    pthread_create(&t, 0, server, (void*)i);
  }
  for (int r = 0; r < R; r++) {
    pthread_t t;
    pthread_create(&t, 0, picker, 0);
    pthread_mutex_lock(&k);
    int chosen = sid;
    pthread_mutex_unlock(&k);
    touch(chosen);
    pthread_join(t, 0);
  }
}
