// Installing a signal handler and a signal mask that never matter.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void handler(int number) { (void)number; }

static void* run(void* unused) {
  (void)unused;
  sigset_t set;
  assert(sigemptyset(&set) == 0);
  assert(sigaddset(&set, SIGUSR1) == 0);
  assert(pthread_sigmask(SIG_BLOCK, &set, 0) == 0);
  return 0;
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  assert(sigaction(SIGUSR2, &action, 0) == 0);
  assert(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
  pthread_t t;
  assert(pthread_create(&t, 0, run, 0) == 0);
  run(0);
  assert(pthread_join(t, 0) == 0);
  return 0;
}
