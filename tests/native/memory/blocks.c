// Blocks of the heap of all sizes and alignments, grown ones, and mapped memory.
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "contents.h"

static atomic_ulong seen[2];

static void* look(void* number) {
  unsigned long sum = 0;
  for (size_t size = 1; size <= 64u << 20; size = size * 6 + 1)
    sum = sum * 7 + contents(malloc(size), size);
  sum = sum * 7 + contents(malloc(8192), 8192);
  sum = sum * 7 + contents(malloc(64u << 20), 64u << 20);
  for (size_t alignment = 8; alignment <= 65536; alignment *= 8) {
    void* block;
    if (posix_memalign(&block, alignment, 9000) != 0) abort();
    sum = sum * 7 + contents(block, 9000);
    sum = sum * 7 + contents(aligned_alloc(alignment, 65536), 65536);
  }
  sum = sum * 7 + contents(valloc(5000), 5000);
  char* grown = malloc(10);
  for (size_t size = 10; size < 200000; size *= 4) {
    grown = realloc(grown, size * 4);
    sum = sum * 7 + contents(grown + size, size * 3);
  }
  for (size_t size = 100; size < 1000000; size *= 30) {
    char* zero = calloc(size, 1);
    for (size_t i = 0; i < size; i += 99)
      if (zero[i] != 0) abort();
    sum = sum * 7 + contents(zero, size);
    free(zero);
  }
  void* mapped = mmap(NULL, 100000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  sum = sum * 7 + contents(mapped, 100000);
  mapped = mremap(mapped, 100000, 500000, MREMAP_MAYMOVE);
  sum = sum * 7 + contents((char*)mapped + 102400, 300000);
  atomic_store(&seen[(long)number], sum);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, look, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  printf("contents %lx %lx\n", atomic_load(&seen[0]), atomic_load(&seen[1]));
}
