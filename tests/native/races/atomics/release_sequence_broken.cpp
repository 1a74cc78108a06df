// A relaxed store of another thread ends the release sequence: who reads it acquires nothing.
#include <atomic>
#include <thread>

int data;
std::atomic<int> flag;

int main() {
  std::thread a([] {
    data = 42;
    flag.store(1, std::memory_order_release);
  });
  std::thread b([] {
    if (flag.load(std::memory_order_relaxed) == 1) flag.store(2, std::memory_order_relaxed);
  });
  int seen = 42;
  if (flag.load(std::memory_order_acquire) == 2) seen = data;
  a.join();
  b.join();
  return seen == 42 ? 0 : 1;
}
