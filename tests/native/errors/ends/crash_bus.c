// SIGBUS: a page of a file that has become shorter meanwhile.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile char* page;
static atomic_int empty;

static void* shrink(void* unused) {
  (void)unused;
  atomic_store(&empty, 1);
  return 0;
}

int main(void) {
  int full = memfd_create("full", 0), none = memfd_create("none", 0);
  if (full < 0 || none < 0 || ftruncate(full, 4096) != 0) return 2;
  pthread_t t;
  pthread_create(&t, 0, shrink, 0);
  int fd = atomic_load(&empty) ? none : full;
  page = mmap(0, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
  if (page == MAP_FAILED) return 2;
  int first = page[0];  // BUG-LINE
  pthread_join(t, 0);
  return first;
}
