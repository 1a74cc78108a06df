// A race that needs a schedule: only who sees the flag reads the data without the mutex.
#include <atomic>
#include <mutex>
#include <thread>

static std::mutex m;
static std::atomic<bool> hint;
static int data;

int main() {
  std::thread t([] {
    std::lock_guard lock(m);
    hint.store(true, std::memory_order_relaxed);
    data = 1;  // BUG-LINE
  });
  int seen = 0;
  if (hint.load(std::memory_order_relaxed)) {
    seen = data;  // BUG-LINE
  }
  t.join();
  return seen > 1;
}
