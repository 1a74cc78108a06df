// std::condition_variable: wait with and without predicate, wait_for, wait_until, both notifies.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

static std::mutex m;
static std::condition_variable cv;
static bool ready;
static int stage;

int main() {
  std::thread t([] {
    std::unique_lock lock(m);
    cv.wait(lock, [] { return ready; });
    stage = 1;
    cv.notify_one();
  });
  {
    std::lock_guard lock(m);
    ready = true;
  }
  cv.notify_all();
  {
    std::unique_lock lock(m);
    while (stage == 0) cv.wait(lock);
    assert(stage == 1);
  }
  t.join();

  std::thread u([] {
    std::lock_guard lock(m);
    stage = 2;
    cv.notify_one();
  });
  {
    std::unique_lock lock(m);
    if (cv.wait_for(lock, 1h, [] { return stage == 2; })) assert(stage == 2);
  }
  u.join();
  std::unique_lock lock(m);
  assert(stage == 2);
  assert(cv.wait_until(lock, std::chrono::steady_clock::now() - 1s) == std::cv_status::timeout);
  assert(lock.owns_lock());
}
