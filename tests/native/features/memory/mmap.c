// Memory that the program maps itself is fresh in every execution, and at the same address.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

static _Atomic(char*) shared;

static void* writer(void* unused) {
  (void)unused;
  char* map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(map != MAP_FAILED);
  for (int i = 0; i < 8192; ++i) assert(map[i] == 0);
  strcpy(map, "written");
  atomic_store(&shared, map);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  char* seen = atomic_load(&shared);
  if (seen != NULL) assert(strcmp(seen, "written") == 0);
  pthread_join(thread, NULL);
  char* map = mremap(atomic_load(&shared), 8192, 16384, MREMAP_MAYMOVE);
  assert(map != MAP_FAILED && strcmp(map, "written") == 0 && map[12000] == 0);
  assert(munmap(map + 4096, 4096) == 0);
  // The rest is left mapped: what an execution maps ends with it.
  return 0;
}
