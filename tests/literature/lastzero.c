// lastzero(N): thread 0 looks for the highest index that still holds zero while thread j in 1..N
// sets array[j] to array[j-1] + 1. "Source Sets", Fig. 11. (N+3) * 2^(N-2) traces.
//
// BY_NAME: as it must have been for Table 4. The threads are tried in the order of their names "1",
// "2", ... compared as text, so that "10" comes before "2", and begin with a step of their own.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef N
#define N 5
#endif

atomic_int array[N + 1];

static void begin(void) {
#ifdef BY_NAME
  sched_yield();
#endif
}

static void* search(void* unused) {
  (void)unused;
  begin();
  for (int i = N; atomic_load(&array[i]) != 0; i--) {
  }
  return 0;
}

static void* increase(void* index) {
  long j = (long)index;
  begin();
  atomic_store(&array[j], atomic_load(&array[j - 1]) + 1);
  return 0;
}

static int compare_names(const void* a, const void* b) {
  char x[16], y[16];
  snprintf(x, sizeof x, "%ld", *(const long*)a + 1);
  snprintf(y, sizeof y, "%ld", *(const long*)b + 1);
  return strcmp(x, y);
}

int main(void) {
  pthread_t thread[N + 1];
  long order[N + 1];
  for (long j = 0; j <= N; j++) order[j] = j;
#ifdef BY_NAME
  qsort(order, N + 1, sizeof order[0], compare_names);
#else
  (void)compare_names;
#endif
  for (int k = 0; k <= N; k++)
    pthread_create(&thread[k], 0, order[k] == 0 ? search : increase, (void*)order[k]);
  for (int k = 0; k <= N; k++) pthread_join(thread[k], 0);
}
