// execve: outside what is controlled.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int x;

static void* run(void* unused) {
  (void)unused;
  atomic_store(&x, 1);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  char* argv[] = {"true", 0};
  char* envp[] = {0};
  execve("/bin/true", argv, envp);
  return 1;
}
