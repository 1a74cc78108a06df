// Another thread writes to the stack of a thread that waits, where its loop looks, and then stores what
// was there already.
#include <atomic>
#include <thread>

std::atomic<int> x{0};

int main() {
  int stop = 0;
  std::thread stops([&stop] {
    stop = 1;
    x.store(0, std::memory_order_release);
  });
  while (x.load(std::memory_order_acquire) == 0 && *static_cast<volatile int*>(&stop) == 0) {
  }
  stops.join();
}
