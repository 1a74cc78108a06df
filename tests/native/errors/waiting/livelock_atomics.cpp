// A loop of atomic operations that never ends in one schedule.
#include <atomic>
#include <thread>

static std::atomic<int> x, y;

int main() {
  std::thread t([] {
    if (x.load() == 1) {
      while (y.load() == 0) {  // BUG-LINE
      }
    }
  });
  x.store(1);
  x.store(2);
  t.join();
}
