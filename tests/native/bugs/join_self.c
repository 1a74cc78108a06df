/* Whoever finds the pool idle shuts it down and joins its threads: the one that it runs on, too. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_t worker;
static atomic_int started;
static atomic_int jobs = 1;

static void shut_down(void) {
#ifdef FIXED
  if (pthread_equal(worker, pthread_self())) {
    pthread_detach(worker);
    return;
  }
#endif
  pthread_join(worker, 0);
}

static void* work(void* unused) {
  (void)unused;
  if (!atomic_load(&started)) return 0;
  if (atomic_fetch_sub(&jobs, 1) == 1) shut_down();
  return 0;
}

int main(void) {
  pthread_create(&worker, 0, work, 0);
  atomic_store(&started, 1);
  if (atomic_fetch_sub(&jobs, 1) == 1) shut_down();
  return 0;
}
