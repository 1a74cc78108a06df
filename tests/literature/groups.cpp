// groups(N): Fig. 10 of "Source Sets": group i+1 starts only in the one schedule of group i in
// which s sees z set and y not yet. s reads y only after it has seen z == 1. 4N+1 traces; without
// wakeup trees ever more executions are blocked as N grows.
#include <atomic>
#include <thread>

#ifndef N
#define N 3
#endif

std::atomic<int> x[N + 1], y[N + 1], z[N + 1];

static void q(int i) { y[i].store(1); }

static void r(int i) {
  if (y[i].load() == 0) z[i].store(1);
}

static void s(int i) {
  if (z[i].load() == 1 && y[i].load() == 0) x[i].store(1);
}

static void p(int i) {
  if (x[i].load() == 1 && i < N) {
    std::thread next_q(q, i + 1);
    std::thread next_r(r, i + 1);
    std::thread next_s(s, i + 1);
    next_q.join();
    next_r.join();
    next_s.join();
  }
}

int main() {
  std::thread q1(q, 1);
  std::thread r1(r, 1);
  std::thread s1(s, 1);
  std::thread ps[N];
  for (int i = 0; i < N; i++) ps[i] = std::thread(p, i + 1);
  q1.join();
  r1.join();
  s1.join();
  for (std::thread& t : ps) t.join();
}
