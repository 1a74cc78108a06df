// std::mutex with lock_guard, unique_lock, scoped_lock over two mutexes (in one order:
// in two it may back off for ever), std::lock and try_lock.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex a, b;
static int x, y, tried;

int main() {
  std::thread t([] {
    std::scoped_lock both(a, b);
    x++;
    y++;
  });
  {
    std::scoped_lock both(a, b);
    x++;
    y++;
  }
  {
    std::unique_lock<std::mutex> lock(a, std::defer_lock);
    assert(!lock.owns_lock());
    if (lock.try_lock()) {
      tried++;
      assert(lock.owns_lock());
    }
  }
  t.join();
  assert(x == 2 && y == 2 && tried <= 1);
  std::lock(a, b);
  std::lock_guard first(a, std::adopt_lock);
  std::lock_guard second(b, std::adopt_lock);
}
