// getenv, setenv, argc and argv; what one execution sets the next must not see.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

extern char** environ;

static void* look(void* unused) {
  (void)unused;
  assert(getenv("MAZUR_TEST_NOT_SET") == 0);
  assert(getenv("PATH") != 0);
  return 0;
}

int main(int argc, char** argv) {
  assert(argc >= 1 && argv[0] && argv[0][0] && argv[argc] == 0);
  assert(environ && environ[0]);
  assert(argv[0][0] != '!' && environ[0][0] != '!' && getenv("PATH")[0] != '!');
  pthread_t t;
  assert(pthread_create(&t, 0, look, 0) == 0);
  look(0);
  assert(pthread_join(t, 0) == 0);
  assert(setenv("MAZUR_TEST_NOT_SET", "now it is", 1) == 0);
  assert(strcmp(getenv("MAZUR_TEST_NOT_SET"), "now it is") == 0);
  // Programs may write to both: options are often parsed that way.
  environ[0][0] = '!';
  assert(setenv("PATH", "!", 1) == 0);
  argv[0][0] = '!';
  ++argv[0];
  return 0;
}
