// std::scoped_lock of three mutexes in rotated orders. Seeded bug: another thread holds one of them
// while it waits for what comes after such a lock.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex a, b, c, mutex;
static std::condition_variable changed;
static bool done = false;
static int n = 0;

int main() {
  std::thread first([] {
    {
      const std::scoped_lock all(a, b, c);
      ++n;
    }
    const std::lock_guard lock(mutex);
    done = true;
    changed.notify_one();
  });
  std::thread second([] {
#ifdef BUG
    const std::lock_guard one(b);
#else
    const std::scoped_lock all(b, c, a);
    ++n;
  });
  std::thread third([] {
    {
      const std::scoped_lock all(c, a, b);
      ++n;
    }
#endif
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return done; });
  });
  first.join();
  second.join();
#ifndef BUG
  third.join();
  assert(n == 3);
#endif
}
