// abs(N): N threads write x and then y; main joins them and reads both. With -DDIF=1 the values
// differ. With -DPHASES=K main does all that K times, each time with new threads and variables.
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
  for (int phase = 0; phase < PHASES; phase++) {
    std::thread thread[N];
    for (int i = 0; i < N; i++) {
      thread[i] = std::thread([=] {
        x[phase].store(1 + DIF * i);
        y[phase].store(1 + DIF * i);
      });
    }
    for (std::thread& t : thread) t.join();
    x[phase].load();
    y[phase].load();
  }
}
