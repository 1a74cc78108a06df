// An update in two stages, each under its own mutex, by many threads; one reads between the two. In
// the style of twostage_N of the SCTBench programs: the reader has to come after somebody's first
// stage and before everybody's second one.
#include <assert.h>
#include <pthread.h>

#ifndef WRITERS
#define WRITERS 99
#endif

static pthread_mutex_t first_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_mutex = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void* write_both(void* unused) {
  pthread_mutex_lock(&first_mutex);
  first = 1;
  pthread_mutex_unlock(&first_mutex);
  pthread_mutex_lock(&second_mutex);
  second = 2;
  pthread_mutex_unlock(&second_mutex);
  return unused;
}

static void* read_both(void* unused) {
  pthread_mutex_lock(&first_mutex);
  const int seen = first;
  pthread_mutex_unlock(&first_mutex);
  if (seen == 0) return unused;
  pthread_mutex_lock(&second_mutex);
  const int then = second;
  pthread_mutex_unlock(&second_mutex);
  assert(then == seen + 1);
  return unused;
}

int main(void) {
  pthread_t threads[WRITERS + 1];
  for (int i = 0; i < WRITERS; ++i) pthread_create(&threads[i], 0, write_both, 0);
  pthread_create(&threads[WRITERS], 0, read_both, 0);
  for (int i = 0; i <= WRITERS; ++i) pthread_join(threads[i], 0);
}
