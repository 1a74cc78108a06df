// Double-checked initialisation whose flag is relaxed.
//
//   mazur check examples/double_checked.cpp
//
// Data race: whoever sees the flag has not been promised to see the object. x86 happens to keep the
// order; the compiler and other processors need not. double_checked_fixed.cpp says acquire and
// release.
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
  if (!ready.load(std::memory_order_relaxed)) {
    std::lock_guard guard(m);
    if (!ready.load(std::memory_order_relaxed)) {
      settings = {640, 480};
      ready.store(true, std::memory_order_relaxed);
    }
  }
  return settings;
}

int main() {
  std::thread t([] { assert(get().width == 640); });
  assert(get().height == 480);
  t.join();
}
