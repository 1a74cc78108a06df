// Two increments in two steps each; one may be lost.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x;

static void increment() {
  int v = x.load();
  x.store(v + 1);
}

int main() {
  std::thread t(increment);
  increment();
  t.join();
  assert(x.load() == 2);  // BUG-LINE
}
