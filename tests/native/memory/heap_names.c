// What malloc returns depends on the thread and on its own calls alone: two threads that call alike
// get blocks at the same place of their heaps, in every schedule. What was freed is not handed out
// again.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { kBlocks = 4 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t blocks[2][kBlocks];

static void* allocate(void* place) {
  uintptr_t* mine = place;
  for (int i = 0; i < kBlocks; ++i) {
    pthread_mutex_lock(&mutex);
    void* block = malloc(40 + 100 * (size_t)i);
    pthread_mutex_unlock(&mutex);
    mine[i] = (uintptr_t)block;
    assert(mine[i] % 16 == 0);
    free(block);
    for (int j = 0; j < i; ++j) assert(mine[i] != mine[j]);
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, allocate, blocks[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  const uintptr_t apart = blocks[1][0] - blocks[0][0];
  assert(apart != 0);
  for (int i = 1; i < kBlocks; ++i) assert(blocks[1][i] - blocks[0][i] == apart);
}
