// A std::thread that is still joinable is destroyed: std::terminate.
#include <atomic>
#include <thread>

static std::atomic<int> flag;

int main() {
  std::thread t([] { flag.store(1); });
  if (flag.load()) t.join();
}  // BUG-LINE
