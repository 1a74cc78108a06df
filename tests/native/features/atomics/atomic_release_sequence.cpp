// A read-modify-write continues a release sequence: whoever acquires it also sees what the first
// store released.
#include <atomic>
#include <cassert>
#include <thread>

static int data;
static std::atomic<int> flag;

int main() {
  std::thread producer([] {
    data = 42;
    flag.store(1, std::memory_order_release);
  });
  std::thread forwarder([] {
    int one = 1;
    flag.compare_exchange_strong(one, 2, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_acquire) == 2) assert(data == 42);
  producer.join();
  forwarder.join();
}
