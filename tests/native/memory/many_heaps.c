// More than 256 threads that allocate.
#include <pthread.h>
#include <stdlib.h>

static void* allocate(void* unused) {
  (void)unused;
  return malloc(10);
}

int main(void) {
  for (int i = 0; i < 260; ++i) {
    pthread_t thread;
    void* block = NULL;
    pthread_create(&thread, NULL, allocate, NULL);
    pthread_join(thread, &block);
    if (block == NULL) return 1;
    free(block);
  }
}
