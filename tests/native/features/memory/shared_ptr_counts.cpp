// Reference counts of std::shared_ptr and std::weak_ptr: the object dies once, with its last owner.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<int> destroyed;

struct Object {
  int value = 1;
  ~Object() {
    value = 0;
    destroyed.fetch_add(1);
  }
};

int main() {
  auto owner = std::make_shared<Object>();
  std::weak_ptr<Object> observer = owner;
  std::thread a([owner] { assert(owner->value == 1); });
  std::thread b([observer] {
    if (auto locked = observer.lock()) assert(locked->value == 1);
  });
  owner.reset();
  a.join();
  b.join();
  assert(destroyed.load() == 1);
  assert(observer.expired() && observer.lock() == nullptr);
}
