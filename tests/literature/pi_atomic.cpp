// PI(N): N threads sum their share of the series for pi and add it to the total in an atomic block.
// N! traces.
#include <mazur/mazur.h>

#include <thread>

#ifndef N
#define N 5
#endif

constexpr int kSteps = 100;

double total;

static void add_share(int id) {
  double sum = 0;
  for (int i = id; i < kSteps; i += N) {
    double at = (i + 0.5) / kSteps;
    sum += 4.0 / (1.0 + at * at);
  }
  mazur_atomic_begin();
  total += sum / kSteps;
  mazur_atomic_end();
}

int main() {
  std::thread thread[N];
  for (int i = 0; i < N; i++) thread[i] = std::thread(add_share, i);
  for (std::thread& t : thread) t.join();
  return total > 3.14 && total < 3.15 ? 0 : 1;
}
