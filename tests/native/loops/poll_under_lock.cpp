// Looks at a variable under a lock until somebody has set it. Seeded bug: it is set too early, before
// the data is there.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static bool ready = false;
static int data = 0;

int main() {
  std::thread reader([] {
    for (;;) {
      {
        const std::lock_guard lock(mutex);
        if (ready) break;
      }
      std::this_thread::yield();
    }
    const std::lock_guard lock(mutex);
    assert(data == 7);
  });
  {
    const std::lock_guard lock(mutex);
#ifdef BUG
    ready = true;
#else
    data = 7;
#endif
  }
  {
    const std::lock_guard lock(mutex);
    data = 7;
    ready = true;
  }
  reader.join();
}
