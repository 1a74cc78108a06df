// readers(N): one writer of x and N readers, each of which first reads a variable of its own.
// "Source Sets", Fig. 1, generalised. 2^N traces: every reader sees x before or after the write.
#include <atomic>
#include <thread>

#ifndef N
#define N 8
#endif

std::atomic<int> x;
std::atomic<int> y[N];

int main() {
  std::thread writer([] { x.store(42); });
  std::thread reader[N];
  for (int i = 0; i < N; i++) {
    reader[i] = std::thread([i] {
      y[i].load();
      x.load();
    });
  }
  writer.join();
  for (std::thread& t : reader) t.join();
}
