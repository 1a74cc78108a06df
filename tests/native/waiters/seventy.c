// Seventy threads wait on one condition variable; one broadcast wakes all of them.
#include <assert.h>
#include <pthread.h>

enum { kThreads = 70 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, open, through;

static void* wait_for_it(void* unused) {
  pthread_mutex_lock(&mutex);
  ++waiting;
  while (!open) pthread_cond_wait(&changed, &mutex);
  ++through;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], 0, wait_for_it, 0);
  pthread_mutex_lock(&mutex);
  open = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
  assert(through == kThreads);
}
