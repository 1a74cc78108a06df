// std::condition_variable_any with a lock of another kind, and waiting until a stop is requested.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <stop_token>
#include <thread>

static std::shared_mutex m;
static std::condition_variable_any cv;
static bool ready;

int main() {
  std::thread t([] {
    std::unique_lock lock(m);
    ready = true;
    cv.notify_all();
  });
  {
    std::shared_lock lock(m);
    cv.wait(lock, [] { return ready; });
    assert(ready);
  }
  t.join();
}
