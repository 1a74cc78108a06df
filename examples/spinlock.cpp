// A spin lock made of one atomic flag that sleeps on it with std::atomic::wait instead of spinning.
//
//   mazur check examples/spinlock.cpp -std=c++20
//
// Verified: no schedule loses an increment or a wake-up. With memory_order_relaxed in unlock()
// Mazur reports the data race on `counter`; without notify_one() it reports the deadlock. Try both.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class SpinLock {
 public:
  void lock() {
    while (held_.exchange(true, std::memory_order_acquire)) held_.wait(true);
  }
  void unlock() {
    held_.store(false, std::memory_order_release);
    held_.notify_one();
  }

 private:
  std::atomic<bool> held_{false};
};

SpinLock lock;
int counter = 0;

void increment() {
  std::lock_guard guard(lock);
  counter++;
}

int main() {
  std::thread a(increment), b(increment);
  a.join();
  b.join();
  assert(counter == 2);
}
