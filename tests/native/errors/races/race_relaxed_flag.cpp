// Double-checked locking whose flag is relaxed: the flag is seen, the object is not published.
#include <atomic>
#include <mutex>
#include <thread>

static std::mutex m;
static std::atomic<bool> initialised;
static int object;

static int get() {
  if (!initialised.load(std::memory_order_relaxed)) {
    std::lock_guard lock(m);
    if (!initialised.load(std::memory_order_relaxed)) {
      object = 42;  // BUG-LINE
      initialised.store(true, std::memory_order_relaxed);
    }
  }
  return object;  // BUG-LINE
}

int main() {
  std::thread t(get);
  int seen = get();
  t.join();
  return seen == 42 ? 0 : 1;
}
