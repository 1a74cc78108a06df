// double_checked.cpp, repaired: the store releases what the load acquires.
//
//   mazur check examples/double_checked_fixed.cpp
//
// Verified.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Settings {
  int width, height;
};

std::mutex m;
std::atomic<bool> ready;
Settings settings;

const Settings& get() {
  if (!ready.load(std::memory_order_acquire)) {
    std::lock_guard guard(m);
    if (!ready.load(std::memory_order_relaxed)) {
      settings = {640, 480};
      ready.store(true, std::memory_order_release);
    }
  }
  return settings;
}

int main() {
  std::thread t([] { assert(get().width == 640); });
  assert(get().height == 480);
  t.join();
}
