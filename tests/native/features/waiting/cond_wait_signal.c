// A condition variable passes one item at a time from a producer to a consumer.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full, item, sum;

static void* produce(void* unused) {
  (void)unused;
  for (int i = 1; i <= 2; i++) {
    assert(pthread_mutex_lock(&m) == 0);
    while (full) assert(pthread_cond_wait(&changed, &m) == 0);
    item = i;
    full = 1;
    assert(pthread_cond_signal(&changed) == 0);
    assert(pthread_mutex_unlock(&m) == 0);
  }
  return 0;
}

static void* consume(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    assert(pthread_mutex_lock(&m) == 0);
    while (!full) assert(pthread_cond_wait(&changed, &m) == 0);
    sum += item;
    full = 0;
    assert(pthread_cond_signal(&changed) == 0);
    assert(pthread_mutex_unlock(&m) == 0);
  }
  return 0;
}

int main(void) {
  pthread_t p, c;
  assert(pthread_create(&c, 0, consume, 0) == 0);
  assert(pthread_create(&p, 0, produce, 0) == 0);
  assert(pthread_join(p, 0) == 0);
  assert(pthread_join(c, 0) == 0);
  assert(sum == 3);
  assert(pthread_cond_destroy(&changed) == 0);
  return 0;
}
