// A detached thread outlives an object of main.
#include <atomic>
#include <memory>
#include <thread>

static std::atomic<int> sum;

int main() {
  auto value = std::make_unique<std::atomic<int>>(5);
  std::thread([p = value.get()] {
    sum.fetch_add(p->load());  // BUG-LINE
  }).detach();
}
