// A ticket lock that waits the longer the more are before it.
//
//   mazur check examples/waiting/ticket_backoff.cpp -std=c++20
//   mazur check examples/waiting/ticket_backoff.cpp -std=c++20 --memory=c++20
//
// Verified.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class TicketLock {
 public:
  void lock() {
    const unsigned mine = next_.fetch_add(1, std::memory_order_relaxed);
    for (;;) {
      const unsigned now = serving_.load(std::memory_order_acquire);
      if (now == mine) return;
      for (unsigned i = 0; i < 10 * (mine - now); ++i) __builtin_ia32_pause();
    }
  }
  void unlock() {
    serving_.store(serving_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

 private:
  std::atomic<unsigned> next_{0}, serving_{0};
};

TicketLock lock;
int counter = 0;

void increment() {
  std::lock_guard guard(lock);
  ++counter;
}

int main() {
  std::thread a(increment), b(increment), c(increment);
  a.join();
  b.join();
  c.join();
  assert(counter == 3);
}
