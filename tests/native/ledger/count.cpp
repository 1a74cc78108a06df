// With an argument, two orders of two stores each are an error.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
std::atomic<int> x{0}, y{0};
std::mutex m;
std::condition_variable changed;
bool ready = false;
int main(int argc, char**) {
  std::thread a([] {
    x.store(1, std::memory_order_relaxed);
    y.fetch_add(1);
    std::lock_guard l(m);
    ready = true;
    changed.notify_all();
  });
  std::thread b([] {
    x.store(2, std::memory_order_relaxed);
    y.load(std::memory_order_relaxed);
    std::unique_lock l(m);
    changed.wait(l, [] { return ready; });
  });
  std::thread c([] {
    int old = 0;
    y.compare_exchange_strong(old, 7);
    if (m.try_lock()) m.unlock();
  });
  a.join();
  b.join();
  c.join();
  assert(argc == 1 || x.load() != 1 || y.load() != 1);
}
