// std::shared_timed_mutex: timed shared and exclusive locks.
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

static std::shared_timed_mutex m;
static int value;

int main() {
  std::thread writer([] {
    if (m.try_lock_for(1h)) {
      value += 2;
      m.unlock();
    }
  });
  if (m.try_lock_shared_until(std::chrono::steady_clock::now() + 1h)) {
    assert(value % 2 == 0);
    m.unlock_shared();
  }
  writer.join();
  assert(value == 0 || value == 2);
  std::shared_lock shared(m, 1s);
  assert(shared.owns_lock());
}
