// pthread_kill with a real signal: outside what is controlled.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int seen;
static sem_t stop;

static void handler(int number) {
  (void)number;
  atomic_store(&seen, 1);
}

static void* run(void* unused) {
  (void)unused;
  while (sem_wait(&stop) != 0) {
  }
  return 0;
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, 0);
  sem_init(&stop, 0, 0);
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_kill(t, SIGUSR1);
  sem_post(&stop);
  pthread_join(t, 0);
  return 0;
}
