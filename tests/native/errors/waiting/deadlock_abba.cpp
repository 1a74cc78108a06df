// Two mutexes, two orders.
#include <mutex>
#include <thread>

static std::mutex a, b;

int main() {
  std::thread t([] {
    std::lock_guard first(a);
    std::lock_guard second(b);  // BUG-LINE
  });
  {
    std::lock_guard first(b);
    std::lock_guard second(a);  // BUG-LINE
  }
  t.join();
}
