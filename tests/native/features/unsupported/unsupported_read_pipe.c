// A read from an empty pipe would block the whole process: outside what is controlled.
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* reader(void* unused) {
  (void)unused;
  char byte;
  if (read(ends[0], &byte, 1) != 1) return 0;
  return &ends;
}

int main(void) {
  if (pipe(ends) != 0) return 1;
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  if (write(ends[1], "x", 1) != 1) return 1;
  void* result;
  pthread_join(t, &result);
  return result ? 0 : 1;
}
