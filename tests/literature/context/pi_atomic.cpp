// PI(N): N threads sum their share of the series for pi and add it to the total in an atomic block.
// The total is in units of 10^-9, so that the order of additions makes no difference. N! traces.
// "Optimal dynamic partial order reduction with context-sensitive independence and observers",
// Table 1.
#include <mazur/mazur.h>

#include <thread>

#ifndef N
#define N 5
#endif

constexpr int kSteps = 100;

long long total;

static void add_share(int id) {
  double sum = 0;
  for (int i = id; i < kSteps; i += N) {
    double at = (i + 0.5) / kSteps;
    sum += 4.0 / (1.0 + at * at);
  }
  const auto share = static_cast<long long>(sum / kSteps * 1e9);
  mazur_atomic_begin();
  total += share;
  mazur_atomic_end();
}

int main() {
  std::thread thread[N];
  for (int i = 0; i < N; i++) thread[i] = std::thread(add_share, i);
  for (std::thread& t : thread) t.join();
  return total > 3'140'000'000 && total < 3'150'000'000 ? 0 : 1;
}
