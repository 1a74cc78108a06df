// Two threads map memory. Where it lies must not tell who was first: then nothing else would.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

static atomic_int once_more[2];

static void* map(void* number) {
  atomic_int* mine = &once_more[(long)number];
  atomic_store(mine, 1);
  void* at = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  atomic_store(mine, (int)((uintptr_t)at >> 12));
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, map, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  // With addresses by who comes first, these differ between schedules of one trace.
  return atomic_load(&once_more[0]) < atomic_load(&once_more[1]) ? 0 : 1;
}
