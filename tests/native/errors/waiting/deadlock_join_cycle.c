// Two threads that join each other.
#include <pthread.h>
#include <semaphore.h>

static pthread_t a, b;
static sem_t known;

static void* join_b(void* unused) {
  (void)unused;
  sem_wait(&known);
  pthread_join(b, 0);  // BUG-LINE
  return 0;
}

static void* join_a(void* unused) {
  (void)unused;
  sem_wait(&known);
  pthread_join(a, 0);  // BUG-LINE
  return 0;
}

int main(void) {
  sem_init(&known, 0, 0);
  pthread_create(&a, 0, join_b, 0);
  pthread_create(&b, 0, join_a, 0);
  sem_post(&known);
  sem_post(&known);
  sem_wait(&known);
  return 0;
}
