// A thread unblocks a signal that another one has sent to it: its handler could run at any time.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sigset_t set;
static sem_t sent;

static void handler(int number) { (void)number; }

static void* run(void* unused) {
  (void)unused;
  sem_wait(&sent);
  pthread_sigmask(SIG_UNBLOCK, &set, 0);
  return 0;
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, 0);
  sem_init(&sent, 0, 0);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_kill(t, SIGUSR1);
  sem_post(&sent);
  pthread_join(t, 0);
  return 0;
}
