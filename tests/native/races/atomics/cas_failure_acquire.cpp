// A compare-exchange that fails acquires with its own order.
#include <atomic>
#include <thread>

int data;
std::atomic<int> flag;

int main() {
  std::thread t([] {
    data = 42;
    flag.store(1, std::memory_order_release);
  });
  int expected = 7, seen = 42;
  if (!flag.compare_exchange_strong(expected, 9, std::memory_order_relaxed,
                                    std::memory_order_acquire) &&
      expected == 1)
    seen = data;
  t.join();
  return seen == 42 ? 0 : 1;
}
