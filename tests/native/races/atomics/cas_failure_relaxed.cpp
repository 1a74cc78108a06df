// A compare-exchange that fails with relaxed order acquires nothing, whatever its success would.
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
  if (!flag.compare_exchange_strong(expected, 9, std::memory_order_acq_rel,
                                    std::memory_order_relaxed) &&
      expected == 1)
    seen = data;
  t.join();
  return seen == 42 ? 0 : 1;
}
