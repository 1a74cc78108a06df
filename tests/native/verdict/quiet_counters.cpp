// Relaxed operations that nothing races with: one thread's own, and some under a mutex.
#include <atomic>
#include <mutex>
#include <thread>

std::atomic<int> own{0}, guarded{0};
std::mutex m;

void work() {
  const std::lock_guard lock(m);
  guarded.fetch_add(1, std::memory_order_relaxed);
}

int main() {
  std::thread first([] {
    own.fetch_add(1, std::memory_order_relaxed);
    work();
  });
  work();
  first.join();
  own.fetch_add(1, std::memory_order_relaxed);
  return guarded.load(std::memory_order_relaxed) - 2;
}
