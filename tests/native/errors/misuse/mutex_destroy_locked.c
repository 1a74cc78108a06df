// A mutex is destroyed while another thread may hold it.
#include <pthread.h>

static pthread_mutex_t m;
static int value;

static void* use(void* unused) {
  (void)unused;
  if (pthread_mutex_trylock(&m) != 0) return 0;
  value++;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutex_init(&m, 0);
  pthread_create(&t, 0, use, 0);
  pthread_mutex_destroy(&m);  // BUG-LINE
  pthread_join(t, 0);
  return 0;
}
