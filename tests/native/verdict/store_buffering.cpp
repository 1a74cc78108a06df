// Under sequential consistency one of the two reads 1. No processor promises that for relaxed
// operations.
#include <atomic>
#include <cassert>
#include <thread>

#ifndef ORDER
#define ORDER std::memory_order_relaxed
#endif

std::atomic<int> x{0}, y{0};
int a, b;

int main() {
  std::thread first([] {
    x.store(1, ORDER);
    a = y.load(ORDER);
  });
  std::thread second([] {
    y.store(1, ORDER);
    b = x.load(ORDER);
  });
  first.join();
  second.join();
  assert(a == 1 || b == 1);
}
