// A ticket lock: draw a number, wait until it is called. Waiting is std::atomic::wait, so that the
// checker has nothing to unroll.
//
//   mazur check examples/ticket_lock.cpp -std=c++20
//
// Verified: mutual exclusion, and nobody waits for ever.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class TicketLock {
 public:
  void lock() {
    const int mine = next_.fetch_add(1, std::memory_order_relaxed);
    for (;;) {
      const int now = serving_.load(std::memory_order_acquire);
      if (now == mine) return;
      serving_.wait(now, std::memory_order_acquire);
    }
  }
  void unlock() {
    serving_.store(serving_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    serving_.notify_all();
  }

 private:
  std::atomic<int> next_{0};
  std::atomic<int> serving_{0};
};

TicketLock lock;
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
