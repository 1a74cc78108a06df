// trylock takes a free mutex and answers EBUSY for a held one, its own holder included.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int entered;
static int refused[2];

static void* attempt(void* id) {
  int result = pthread_mutex_trylock(&m);
  if (result == 0) {
    entered++;
    assert(pthread_mutex_trylock(&m) == EBUSY);
    assert(pthread_mutex_unlock(&m) == 0);
  } else {
    assert(result == EBUSY);
    refused[(long)id] = 1;
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) assert(pthread_create(&t[i], 0, attempt, (void*)i) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(t[i], 0) == 0);
  assert(entered + refused[0] + refused[1] == 2);
  assert(entered >= 1);
  assert(pthread_mutex_lock(&m) == 0);
  assert(pthread_create(&t[0], 0, attempt, (void*)0) == 0);
  assert(pthread_join(t[0], 0) == 0);
  assert(refused[0] == 1);
  assert(pthread_mutex_unlock(&m) == 0);
  return 0;
}
