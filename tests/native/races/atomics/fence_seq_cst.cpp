// Sequentially consistent fences release and acquire.
#include <atomic>
#include <thread>

int data;
std::atomic<int> flag;

int main() {
  std::thread t([] {
    data = 42;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    flag.store(1, std::memory_order_relaxed);
  });
  int seen = 42;
  if (flag.load(std::memory_order_relaxed) == 1) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    seen = data;
  }
  t.join();
  return seen == 42 ? 0 : 1;
}
