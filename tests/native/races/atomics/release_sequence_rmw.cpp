// A relaxed read-modify-write of another thread continues the release sequence.
#include <atomic>
#include <thread>

int data;
std::atomic<int> flag;

int main() {
  std::thread a([] {
    data = 42;
    flag.fetch_add(2, std::memory_order_release);
  });
  std::thread b([] { flag.fetch_add(1, std::memory_order_relaxed); });
  int seen = 42;
  if (flag.load(std::memory_order_acquire) >= 2) seen = data;
  a.join();
  b.join();
  return seen == 42 ? 0 : 1;
}
