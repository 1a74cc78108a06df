// A wait without a loop around it: right as long as nobody wakes up for no reason.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void* give(void* unused) {
  pthread_mutex_lock(&m);
  is_ready = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t giver;
  pthread_create(&giver, 0, give, 0);
  pthread_mutex_lock(&m);
#ifdef LOOP
  while (is_ready == 0) pthread_cond_wait(&ready, &m);
#else
  if (is_ready == 0) pthread_cond_wait(&ready, &m);
#endif
  assert(is_ready == 1);
  pthread_mutex_unlock(&m);
  pthread_join(giver, 0);
}
