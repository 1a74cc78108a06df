// Relaxed accesses between a release fence and an acquire fence publish.
#include <atomic>
#include <thread>

int data;
std::atomic<int> flag;

int main() {
  std::thread t([] {
    data = 42;
    std::atomic_thread_fence(std::memory_order_release);
    flag.store(1, std::memory_order_relaxed);
  });
  int seen = 42;
  if (flag.load(std::memory_order_relaxed) == 1) {
    std::atomic_thread_fence(std::memory_order_acquire);
    seen = data;
  }
  t.join();
  return seen == 42 ? 0 : 1;
}
