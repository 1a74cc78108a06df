// No instruction of its own does anything between threads, but the functions that it calls do.
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
int next(void) {
  pthread_mutex_lock(&mutex);
  const int result = ++count;
  pthread_mutex_unlock(&mutex);
  return result;
}
