// ring(N): thread i writes x[i] and reads its neighbour's. 2^N - 1 traces: each of the N pairs goes
// one way or the other, but not all reads can come before the writes.
#include <atomic>
#include <thread>

#ifndef N
#define N 5
#endif

std::atomic<int> x[N];

int main() {
  std::thread thread[N];
  for (int i = 0; i < N; i++) {
    thread[i] = std::thread([i] {
      x[i].store(1);
      x[(i + 1) % N].load();
    });
  }
  for (std::thread& t : thread) t.join();
}
