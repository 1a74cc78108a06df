// An exception leaves a thread's function if the flag was seen.
#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<int> flag;

int main() {
  std::thread t([] {
    if (flag.load() == 1) throw std::runtime_error("nobody catches this");  // BUG-LINE
  });
  flag.store(1);
  t.join();
}
