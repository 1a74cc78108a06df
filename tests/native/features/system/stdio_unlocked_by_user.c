// printf and fprintf from two threads without a mutex of their own: stdio locks its streams.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static void* say(void* name) {
  assert(printf("%s\n", (const char*)name) == 2);
  assert(fprintf(stderr, "%s\n", (const char*)name) == 2);
  return 0;
}

int main(void) {
  pthread_t t;
  assert(pthread_create(&t, 0, say, "b") == 0);
  say("a");
  assert(pthread_join(t, 0) == 0);
  return 0;
}
