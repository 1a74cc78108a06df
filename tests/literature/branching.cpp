// branching(N): twice, thread i writes its neighbour's variable if its own is still zero. Listing
// 6.3 of the LazyPOR thesis, whose index `tid + 1 % length` means (tid + 1) % length. 11, 28 and
// 103 traces at N = 2, 3 and 4.
#include <atomic>
#include <thread>

#ifndef N
#define N 3
#endif

std::atomic<int> x[N];

static void branch(int tid) {
  if (x[tid].load() == 0) x[(tid + 1) % N].store(1);
  if (x[tid].load() == 0) x[(tid + 1) % N].store(1);
}

int main() {
  std::thread thread[N];
  for (int i = 0; i < N; i++) thread[i] = std::thread(branch, i);
  for (std::thread& t : thread) t.join();
}
