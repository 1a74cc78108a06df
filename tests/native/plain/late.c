// Threads draw tickets. Only if they draw them in one order of all, backwards, they share a
// variable: an exploration learns of it late. -DBUG: they must not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 3
#endif

atomic_int tickets, backwards;
int rare;
int own[THREADS * 16];

void* draw(void* argument) {
  const long me = (long)argument;
  own[me * 16] = (int)me;
  if (atomic_fetch_add(&tickets, 1) == THREADS - 1 - me) atomic_fetch_add(&backwards, 1);
  if (atomic_load(&backwards) == THREADS) {
    const int before = rare;
    rare = before + 1;
  }
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; ++i) pthread_create(&threads[i], 0, draw, (void*)i);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], 0);
  assert(own[16] == 1);
#ifdef BUG
  assert(rare != 2);
#endif
}
