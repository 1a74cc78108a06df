// A thread joins the main thread, which has ended by pthread_exit, and gets its value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_t main_thread;
static int written_by_main;

static void* outlive(void* unused) {
  (void)unused;
  void* result;
  assert(pthread_join(main_thread, &result) == 0);
  assert(result == &main_thread);
  assert(written_by_main == 1);
  return 0;
}

int main(void) {
  main_thread = pthread_self();
  pthread_t t;
  assert(pthread_create(&t, 0, outlive, 0) == 0);
  written_by_main = 1;
  pthread_exit(&main_thread);
}
