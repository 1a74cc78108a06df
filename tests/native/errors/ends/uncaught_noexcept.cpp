// An exception meets a noexcept function.
#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<int> flag;

static void check() noexcept {
  if (flag.load() == 0) throw std::logic_error("too early");  // BUG-LINE
}

int main() {
  std::thread t([] { flag.store(1); });
  check();
  t.join();
}
