// Large stack frames and deep recursion within the usual limits, in threads and in main.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

static int large(int seed) {
  volatile char frame[256 * 1024];
  for (int i = 0; i < (int)sizeof frame; i += 4096) frame[i] = (char)(seed + i / 4096);
  sched_yield();
  int sum = 0;
  for (int i = 0; i < (int)sizeof frame; i += 4096) sum += frame[i] == (char)(seed + i / 4096);
  return sum;
}

static int deep(int n) {
  volatile char frame[100];
  memset((char*)frame, n, sizeof frame);
  if (n == 0) return 0;
  int below = deep(n - 1);
  return below + (frame[50] == (char)n);
}

static void* run(void* seed) {
  assert(large((int)(long)seed) == 64);
  assert(deep(1000) == 1000);
  return 0;
}

int main(void) {
  pthread_t t;
  assert(pthread_create(&t, 0, run, (void*)3) == 0);
  run((void*)9);
  assert(pthread_join(t, 0) == 0);
  return 0;
}
