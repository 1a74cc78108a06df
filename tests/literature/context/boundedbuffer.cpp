// boundedbuffer(N): a thread puts N numbers into a buffer and another takes numbers out of it N
// times, each time in an atomic block. To put into a full buffer or to take from an empty one does
// nothing. "Optimal dynamic partial order reduction with context-sensitive independence and
// observers", Table 1; the program is ours, after its numbers of executions: all orders of N steps
// and N steps. How many numbers the buffer holds is not said.
#include <mazur/mazur.h>

#include <thread>

#ifndef N
#define N 4
#endif
#ifndef SIZE
#define SIZE 2
#endif

int buffer[SIZE];
int first, count;
int taken[N];

// Functions of their own, so that nothing of a block stays behind in its thread's registers.
__attribute__((noinline)) static void put(int value) {
  mazur_atomic_begin();
  if (count < SIZE) {
    buffer[(first + count) % SIZE] = value;
    count++;
  }
  mazur_atomic_end();
}

__attribute__((noinline)) static int take() {
  int value = 0;
  mazur_atomic_begin();
  if (count > 0) {
    value = buffer[first];
    first = (first + 1) % SIZE;
    count--;
  }
  mazur_atomic_end();
  return value;
}

int main() {
  std::thread producer([] {
    for (int i = 1; i <= N; i++) put(i);
  });
  std::thread consumer([] {
    for (int& value : taken) value = take();
  });
  producer.join();
  consumer.join();
}
