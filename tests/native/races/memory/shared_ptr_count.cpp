// Copies of a shared_ptr in several threads: the reference count is atomic.
#include <memory>
#include <thread>

int main() {
  auto shared = std::make_shared<int>(5);
  std::thread t([shared] { return *shared; });
  std::shared_ptr<int> copy = shared;
  shared.reset();
  t.join();
  return *copy == 5 ? 0 : 1;
}
