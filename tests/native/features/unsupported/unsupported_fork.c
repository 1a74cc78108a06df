// fork: outside what is controlled.
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
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
  pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, 0, 0);
  pthread_join(t, 0);
  return 0;
}
