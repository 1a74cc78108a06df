// abs(N): N threads write x and then y; main joins them and reads both. With -DDIF=1 the values
// differ. With -DPHASES=K every thread does so with K pairs of variables, one after the other.
// "Optimal dynamic partial order reduction with
// context-sensitive independence and observers", the synthetic programs.
#include <atomic>
#include <thread>

#ifndef N
#define N 3
#endif
#ifndef DIF
#define DIF 0
#endif
#ifndef PHASES
#define PHASES 1
#endif

std::atomic<int> x[PHASES], y[PHASES];

int main() {
  std::thread thread[N];
  for (int i = 0; i < N; i++) {
    thread[i] = std::thread([i] {
      for (int k = 0; k < PHASES; k++) {
        x[k].store(1 + DIF * i);
        y[k].store(1 + DIF * i);
      }
    });
  }
  for (std::thread& t : thread) t.join();
  for (int k = 0; k < PHASES; k++) {
    x[k].load();
    y[k].load();
  }
}
