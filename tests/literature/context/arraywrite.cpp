// arraywrite(N): 4 * (N / 2) threads, two for each element of an array, count their element up in
// an atomic block; after that two threads read the first two elements. "Optimal dynamic partial
// order reduction with context-sensitive independence and observers", Table 2. The paper says of
// it: 4 * N processes that write an N-array, and two that read its first two positions. What they
// write, how many they are and when the two read is taken from its numbers of executions and steps.
#include <mazur/mazur.h>

#include <thread>
#include <vector>

#ifndef N
#define N 5
#endif

constexpr int kElements = N / 2 * 2;
constexpr int kWriters = 2 * kElements;

int array[kElements];
int seen[2];

int main() {
  std::vector<std::thread> writers;
  for (int i = 0; i < kWriters; i++) {
    writers.emplace_back([i] {
      mazur_atomic_begin();
      array[i / 2]++;
      mazur_atomic_end();
    });
  }
  for (std::thread& t : writers) t.join();
  std::thread first([] { seen[0] = array[0]; });
  std::thread second([] { seen[1] = array[1]; });
  first.join();
  second.join();
  return seen[0] == 2 && seen[1] == 2 ? 0 : 1;
}
