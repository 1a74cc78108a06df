// A read from standard input waits for somebody outside: outside what is controlled.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int x;

static void* run(void* unused) {
  (void)unused;
  char byte;
  atomic_store(&x, (int)read(0, &byte, 1));
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  atomic_load(&x);
  pthread_join(t, 0);
  return 0;
}
