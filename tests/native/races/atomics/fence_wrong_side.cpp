// The release fence comes before the data is written: it does not cover it.
#include <atomic>
#include <thread>

int data;
std::atomic<int> flag;

int main() {
  std::thread t([] {
    std::atomic_thread_fence(std::memory_order_release);
    data = 42;
    flag.store(1, std::memory_order_relaxed);
  });
  int seen = 42;
  if (flag.load(std::memory_order_acquire) == 1) seen = data;
  t.join();
  return seen == 42 ? 0 : 1;
}
