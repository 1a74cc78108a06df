// Two threads that wait for each other. Seeded bug: each sets its flag only after it has seen the
// other's.
#include <atomic>
#include <thread>

static std::atomic<bool> ready[2];

static void body(int i) {
#ifndef BUG
  ready[i].store(true);
#endif
  while (!ready[1 - i].load()) {
  }
#ifdef BUG
  ready[i].store(true);
#endif
}

int main() {
  std::thread a(body, 0), b(body, 1);
  a.join();
  b.join();
}
