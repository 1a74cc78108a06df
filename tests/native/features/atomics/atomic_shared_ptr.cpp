// std::atomic<std::shared_ptr>: a reader sees the old object or the new one, each alive.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<int> alive;

struct Object {
  int value;
  explicit Object(int v) : value(v) { alive.fetch_add(1); }
  ~Object() {
    value = 0;
    alive.fetch_sub(1);
  }
};

int main() {
  {
    std::atomic<std::shared_ptr<Object>> shared(std::make_shared<Object>(1));
    std::thread t([&shared] { shared.store(std::make_shared<Object>(2)); });
    auto seen = shared.load();
    assert(seen && (seen->value == 1 || seen->value == 2));
    t.join();
    assert(shared.load()->value == 2);
    auto expected = seen;
    bool exchanged = shared.compare_exchange_strong(expected, std::make_shared<Object>(3));
    assert(exchanged == (seen->value == 2));
    assert(shared.exchange(nullptr)->value == (exchanged ? 3 : 2));
  }
  assert(alive.load() == 0);
}
