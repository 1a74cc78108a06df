// std::atomic_flag::wait and notify.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic_flag flag;
static int data;

int main() {
  std::thread t([] {
    flag.wait(false);
    assert(data == 3);
  });
  data = 3;
  flag.test_and_set();
  flag.notify_one();
  t.join();
}
