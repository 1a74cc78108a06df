// A try that fails because std::scoped_lock has one of its mutexes for a while, although it does not
// get the other one. Seeded bug: nobody thought of that.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex a, b;
static int n = 0;

int main() {
  std::thread locks([] {
    const std::scoped_lock both(a, b);
    ++n;
  });
  std::thread tries([] {
    const std::lock_guard held(b);
    const bool is_free = a.try_lock();
    if (is_free) a.unlock();
#ifdef BUG
    assert(is_free);
#endif
  });
  locks.join();
  tries.join();
  assert(n == 1);
}
