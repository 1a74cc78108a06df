// std::notify_all_at_thread_exit: the notification comes after thread_local objects are gone.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable cv;
static bool ready;
static int destroyed;

struct Last {
  ~Last() { destroyed = 1; }
  int value = 0;
};

int main() {
  std::thread t([] {
    static thread_local Last last;
    last.value = 1;
    std::unique_lock lock(m);
    ready = true;
    std::notify_all_at_thread_exit(cv, std::move(lock));
  });
  {
    std::unique_lock lock(m);
    cv.wait(lock, [] { return ready; });
    assert(destroyed == 1);
  }
  t.join();
}
