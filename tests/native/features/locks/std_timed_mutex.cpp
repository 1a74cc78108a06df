// std::timed_mutex: try_lock_for and try_lock_until get the lock or give up.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

static std::timed_mutex m;
static int x;

int main() {
  int expected = 0;
  bool got = false;
  std::thread t([&got] {
    if (m.try_lock_for(1h)) {
      x++;
      got = true;
      m.unlock();
    }
  });
  if (m.try_lock_until(std::chrono::steady_clock::now() + 1h)) {
    x++;
    expected++;
    m.unlock();
  }
  t.join();
  expected += got;
  assert(x == expected && x >= 1);
  m.lock();
  std::thread u([] { assert(!m.try_lock() && !m.try_lock_for(0s)); });
  u.join();
  m.unlock();
}
