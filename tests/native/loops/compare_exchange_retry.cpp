// The usual lock-free update: try again with the value that was there. Seeded bug: it is not tried
// again.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> total{0};

static void add(int amount) {
  int seen = total.load();
#ifdef BUG
  total.compare_exchange_strong(seen, seen + amount);
#else
  while (!total.compare_exchange_weak(seen, seen + amount)) {
  }
#endif
}

int main() {
  std::thread a(add, 1), b(add, 2), c(add, 4);
  a.join();
  b.join();
  c.join();
  assert(total.load() == 7);
}
