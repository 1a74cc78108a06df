// The older free functions over std::shared_ptr, which use mutexes inside the library.
#include <cassert>
#include <memory>
#include <thread>

static std::shared_ptr<int> shared = std::make_shared<int>(1);

int main() {
  std::thread t([] { std::atomic_store(&shared, std::make_shared<int>(2)); });
  std::shared_ptr<int> seen = std::atomic_load(&shared);
  assert(*seen == 1 || *seen == 2);
  t.join();
  assert(*std::atomic_load(&shared) == 2);
  std::shared_ptr<int> old = std::atomic_exchange(&shared, std::make_shared<int>(3));
  assert(*old == 2);
  assert(!std::atomic_compare_exchange_strong(&shared, &old, std::make_shared<int>(4)));
  assert(*old == 3);
}
