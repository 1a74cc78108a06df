// MPC(P,W): P producers mix their ids twice into a shared buffer and then send one request to the
// worker that the buffer named last; each of W workers looks twice for a request. Table 1 of
// "Quasi-Optimal Partial Order Reduction".
#include <pthread.h>

#ifndef P
#define P 2
#endif
#ifndef W
#define W 5
#endif

static pthread_mutex_t prodmut = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t mut[W] = {[0 ... W - 1] = PTHREAD_MUTEX_INITIALIZER};
static int buff;
static int request[W];

static void* worker(void* id) {
  long i = (long)id;
  for (int n = 0; n < 2; n++) {
    pthread_mutex_lock(&mut[i]);
    if (request[i] > 0) request[i]--;
    pthread_mutex_unlock(&mut[i]);
  }
  return 0;
}

static void* producer(void* id) {
  int tmp = 0;
  for (int n = 0; n < 2; n++) {
    pthread_mutex_lock(&prodmut);
    buff = buff * P + (int)(long)id;
    tmp = buff;
    pthread_mutex_unlock(&prodmut);
  }
  int dst = tmp % W;
  pthread_mutex_lock(&mut[dst]);
  request[dst]++;
  pthread_mutex_unlock(&mut[dst]);
  return 0;
}

int main(void) {
  pthread_t thread[W + P];
  for (long i = 0; i < W; i++) pthread_create(&thread[i], 0, worker, (void*)i);
  for (long i = 0; i < P; i++) pthread_create(&thread[W + i], 0, producer, (void*)i);
  for (int i = 0; i < W + P; i++) pthread_join(thread[i], 0);
}
