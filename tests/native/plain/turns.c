// Three threads wait for their turn in loops on a plain variable, or with -DVOLATILE on a volatile
// one.
#include <assert.h>
#include <pthread.h>

#ifdef VOLATILE
static volatile int turn;
#else
static int turn;
#endif

static void* take_turn(void* argument) {
  const int mine = (int)(long)argument;
  while (mine != turn) {
  }
  turn = turn + 1;
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], 0, take_turn, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(turn == 3);
  return 0;
}
