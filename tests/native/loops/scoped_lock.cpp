// std::scoped_lock of two mutexes in different orders. Seeded bug: one thread takes them one by one,
// in another order than a third one.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex a, b;
static int n = 0;

int main() {
  std::thread first([] {
#ifdef BUG
    const std::lock_guard one(a);
    const std::lock_guard other(b);
#else
    const std::scoped_lock both(a, b);
#endif
    ++n;
  });
  std::thread second([] {
#ifdef BUG
    const std::lock_guard other(b);
    const std::lock_guard one(a);
#else
    const std::scoped_lock both(b, a);
#endif
    ++n;
  });
  first.join();
  second.join();
  assert(n == 2);
}
