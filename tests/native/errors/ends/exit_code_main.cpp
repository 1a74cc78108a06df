// main returns 1 in one schedule.
#include <atomic>
#include <thread>

static std::atomic<int> x;

int main() {
  std::thread t([] { x.store(1); });
  int seen = x.load();
  t.join();
  return seen;
}
