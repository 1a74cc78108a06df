// The flag is looked at before the mutex is held and no one looks again: the notification is lost.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable cv;
static std::atomic<bool> ready;

int main() {
  std::thread t([] {
    ready.store(true);
    cv.notify_one();
  });
  if (!ready.load()) {
    std::unique_lock lock(m);
    cv.wait(lock);  // BUG-LINE
  }
  t.join();
}
