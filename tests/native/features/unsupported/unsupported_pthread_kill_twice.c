// A signal that is sent again while it is pending is one signal only: outside what is controlled.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

static sigset_t set;

static void* take(void* unused) {
  (void)unused;
  int number;
  sigwait(&set, &number);
  return 0;
}

int main(void) {
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_t t;
  pthread_create(&t, 0, take, 0);
  pthread_kill(t, SIGUSR1);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, 0);
  return 0;
}
