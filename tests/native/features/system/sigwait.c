// pthread_kill of a thread that blocks the signal, and sigwait: each signal is taken once, the
// lower one first if both are pending, and what the sender wrote before is seen.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static sigset_t set;
static pthread_t taker;
static int written[2];

static void* take(void* unused) {
  (void)unused;
  sigset_t mine;
  assert(pthread_sigmask(SIG_BLOCK, 0, &mine) == 0);
  assert(sigismember(&mine, SIGUSR1) == 1 && sigismember(&mine, SIGUSR2) == 1);
  int first, second;
  assert(sigwait(&set, &first) == 0);
  assert(written[first == SIGUSR2] == 1);
  assert(sigwait(&set, &second) == 0);
  assert(written[second == SIGUSR2] == 1);
  assert(first + second == SIGUSR1 + SIGUSR2 && first != second);
  return 0;
}

static void* send(void* unused) {
  (void)unused;
  written[1] = 1;
  assert(pthread_kill(taker, SIGUSR2) == 0);
  return 0;
}

int main(void) {
  assert(sigemptyset(&set) == 0);
  assert(sigaddset(&set, SIGUSR1) == 0 && sigaddset(&set, SIGUSR2) == 0);
  assert(pthread_sigmask(SIG_BLOCK, &set, 0) == 0);
  pthread_t sender;
  assert(pthread_create(&taker, 0, take, 0) == 0);
  assert(pthread_create(&sender, 0, send, 0) == 0);
  written[0] = 1;
  assert(pthread_kill(taker, SIGUSR1) == 0);
  assert(pthread_join(sender, 0) == 0);
  assert(pthread_kill(taker, 0) == 0);  // also if it has ended: it is not joined yet
  assert(pthread_join(taker, 0) == 0);
  return 0;
}
