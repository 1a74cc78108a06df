// A thread goes round for ever without a visible operation. -DJOIN: main waits for it. Otherwise main
// returns beside it. -DEMPTY: the loop reads nothing. -DONCE: it reads a variable only once.
#include <pthread.h>
#include <stdatomic.h>

static volatile int stop;
int stop_once;
static atomic_int x;

static void* spin(void* unused) {
  (void)unused;
  atomic_fetch_add(&x, 1);
#if defined(EMPTY)
  for (;;) {  // LINE
  }
#elif defined(ONCE)
  while (!stop_once) {  // LINE
  }
#else
  while (!stop) {  // LINE
  }
#endif
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, spin, 0);
  atomic_fetch_add(&x, 1);
#ifdef JOIN
  pthread_join(t, 0);
#else
  pthread_detach(t);
#endif
  return 0;
}
