// What the first thread wrote reaches the third through the second.
#include <atomic>
#include <thread>

int data;
std::atomic<int> first, second;

int main() {
  std::thread a([] {
    data = 42;
    first.store(1, std::memory_order_release);
  });
  std::thread b([] {
    if (first.load(std::memory_order_acquire) == 1) second.store(1, std::memory_order_release);
  });
  int seen = 42;
  if (second.load(std::memory_order_acquire) == 1) seen = data;
  a.join();
  b.join();
  return seen == 42 ? 0 : 1;
}
