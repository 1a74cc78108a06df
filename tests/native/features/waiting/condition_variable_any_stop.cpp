// A wait on std::condition_variable_any that ends because its jthread is asked to stop.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex m;
static std::condition_variable_any cv;
static int ended;

int main() {
  {
    std::jthread t([](std::stop_token stop) {
      std::unique_lock lock(m);
      assert(!cv.wait(lock, stop, [] { return false; }));
      assert(stop.stop_requested());
      ended = 1;
    });
  }
  assert(ended == 1);
}
