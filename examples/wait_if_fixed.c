// wait_if.c, repaired: `while` looks again after every wake-up.
//
//   mazur check examples/wait_if_fixed.c
//
// Verified.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
int items;

void* consume(void* unused) {
  (void)unused;
  pthread_mutex_lock(&m);
  while (items == 0) pthread_cond_wait(&not_empty, &m);
  assert(items > 0);
  items--;
  pthread_mutex_unlock(&m);
  return 0;
}

void* produce(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    items++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&m);
  }
  return 0;
}

int main(void) {
  pthread_t a, b, p;
  pthread_create(&a, 0, consume, 0);
  pthread_create(&b, 0, consume, 0);
  pthread_create(&p, 0, produce, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(p, 0);
}
