// std::atomic<int>::wait and notify: the size the futex has.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> stage;
static int data;

int main() {
  std::thread t([] {
    stage.wait(0);
    assert(data == 42);
    data = 43;
    stage.store(2);
    stage.notify_one();
  });
  data = 42;
  stage.store(1);
  stage.notify_all();
  stage.wait(1);
  assert(stage.load() == 2);
  assert(data == 43);
  t.join();
}
