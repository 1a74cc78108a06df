// A mutex that tries a hundred times and then sleeps until it is woken (std::atomic::wait is a
// futex).
//
//   mazur check examples/waiting/spin_then_sleep.cpp -std=c++20
//
// Verified, also with --memory=tso. With --memory=c++20 it can sleep for ever: libstdc++ 12 looks
// whether anybody waits before unlock()'s exchange is visible, unless that is seq_cst.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class Mutex {
 public:
  void lock() {
    for (int i = 0; i < 100; ++i) {
      int expected = kFree;
      if (state_.compare_exchange_weak(expected, kTaken, std::memory_order_acquire)) return;
    }
    while (state_.exchange(kAwaited, std::memory_order_acquire) != kFree)
      state_.wait(kAwaited, std::memory_order_relaxed);
  }
  void unlock() {
    if (state_.exchange(kFree, std::memory_order_release) == kAwaited) state_.notify_one();
  }

 private:
  static constexpr int kFree = 0, kTaken = 1, kAwaited = 2;
  std::atomic<int> state_{kFree};
};

Mutex mutex;
int counter = 0;

void increment() {
  std::lock_guard guard(mutex);
  ++counter;
}

int main() {
  std::thread a(increment), b(increment);
  a.join();
  b.join();
  assert(counter == 2);
}
