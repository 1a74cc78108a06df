// std::latch: count_down, arrive_and_wait, try_wait.
#include <cassert>
#include <latch>
#include <thread>

static std::latch ready(3);
static int a, b;

int main() {
  std::thread t([] {
    a = 1;
    ready.count_down();
  });
  std::thread u([] {
    b = 1;
    ready.arrive_and_wait();
    assert(a == 1 && b == 1);
  });
  ready.count_down();
  ready.wait();
  assert(a == 1 && b == 1);
  assert(ready.try_wait());
  t.join();
  u.join();
}
