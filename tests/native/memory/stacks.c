// Stacks of new threads and of main, near the first frame and far from it.
#include <alloca.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "contents.h"

static atomic_ulong seen[3];
static _Thread_local unsigned long own[100];

static __attribute__((noinline)) unsigned long far_down(size_t size) {
  return contents(alloca(size), size);
}

static void* look(void* number) {
  unsigned long sum = contents(own, sizeof own);
  for (size_t size = 100; size < 4u << 20; size *= 10) sum = sum * 7 + far_down(size);
  atomic_store(&seen[(long)number], sum);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, look, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  look((void*)2);
  printf("contents %lx %lx %lx\n", atomic_load(&seen[0]), atomic_load(&seen[1]),
         atomic_load(&seen[2]));
}
