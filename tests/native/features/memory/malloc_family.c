// The allocation functions of C: sizes, alignment, contents, failure, and freeing elsewhere.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int aligned(const void* p, uintptr_t to) { return p && (uintptr_t)p % to == 0; }

static void* allocate(void* unused) {
  (void)unused;
  char* p = malloc(10);
  assert(aligned(p, 16) && malloc_usable_size(p) >= 10);
  memcpy(p, "123456789", 10);
  p = realloc(p, 5000);
  assert(strcmp(p, "123456789") == 0);
  p = realloc(p, 10);
  assert(strcmp(p, "123456789") == 0);
  free(p);
  int* zeroed = calloc(100, sizeof *zeroed);
  for (int i = 0; i < 100; i++) assert(zeroed[i] == 0);
  memset(zeroed, 0xff, 100 * sizeof *zeroed);
  free(zeroed);
  zeroed = calloc(100, sizeof *zeroed);
  for (int i = 0; i < 100; i++) assert(zeroed[i] == 0);
  free(zeroed);
  void* q = aligned_alloc(64, 128);
  assert(aligned(q, 64));
  free(q);
  assert(posix_memalign(&q, 4096, 100) == 0 && aligned(q, 4096));
  free(q);
  q = memalign(256, 10);
  assert(aligned(q, 256));
  free(q);
  free(0);
  q = realloc(0, 8);
  assert(q);
  q = reallocarray(q, 4, 8);
  assert(q);
  free(q);
  char* copy = strdup("copied");
  assert(strcmp(copy, "copied") == 0);
  return copy;
}

int main(void) {
  pthread_t t;
  assert(pthread_create(&t, 0, allocate, 0) == 0);
  char* own = allocate(0);
  void* other;
  assert(pthread_join(t, &other) == 0);
  assert(own != other && strcmp(own, other) == 0);
  free(other);
  free(own);
  volatile size_t huge = SIZE_MAX / 2;
  void* volatile refused = malloc(huge);
  assert(refused == 0);
  void* other_refused;
  assert(posix_memalign(&other_refused, 16, huge) == ENOMEM);
  refused = calloc(huge, 4);
  assert(refused == 0);
  refused = reallocarray(0, huge, 4);
  assert(refused == 0);
  char* big = malloc(4 << 20);
  assert(big);
  big[0] = big[(4 << 20) - 1] = 1;
  free(big);
  return 0;
}
