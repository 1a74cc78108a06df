// Two threads wait for a ticket. With FILLERS=63 they are the threads 1 and 65, which labels of
// signals do not tell apart: their sets of threads have 64 bits. With NEVER the order in which they
// get their tickets is not allowed to be that.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int tickets, order;

static void* nothing(void* unused) { return unused; }

static void* take(void* name) {
  pthread_mutex_lock(&mutex);
  while (tickets == 0) pthread_cond_wait(&changed, &mutex);
  --tickets;
  order = order * 10 + (int)(long)name;
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void* give(void* unused) {
  pthread_mutex_lock(&mutex);
  ++tickets;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t first, second, givers[2];
  pthread_create(&first, 0, take, (void*)1);
  for (int i = 0; i < FILLERS; ++i) {
    pthread_t filler;
    pthread_create(&filler, 0, nothing, 0);
    pthread_join(filler, 0);
  }
  pthread_create(&second, 0, take, (void*)2);
  for (int i = 0; i < 2; ++i) pthread_create(&givers[i], 0, give, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  for (int i = 0; i < 2; ++i) pthread_join(givers[i], 0);
  assert(order != NEVER);
}
