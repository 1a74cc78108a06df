// abs(N): N threads write x and then y; main joins them and reads both. With -DDIF=1 the values
// differ. "Optimal dynamic partial order reduction with
// context-sensitive independence and observers", the synthetic programs.
#include <atomic>
#include <thread>

#ifndef N
#define N 3
#endif
#ifndef DIF
#define DIF 0
#endif

std::atomic<int> x, y;

int main() {
  std::thread thread[N];
  for (int i = 0; i < N; i++) {
    thread[i] = std::thread([i] {
      x.store(1 + DIF * i);
      y.store(1 + DIF * i);
    });
  }
  for (std::thread& t : thread) t.join();
  x.load();
  y.load();
}
