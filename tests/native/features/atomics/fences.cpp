// Fences publish what relaxed accesses carry; a signal fence orders nothing between threads but may
// be written.
#include <atomic>
#include <cassert>
#include <thread>

static int data;
static std::atomic<int> flag, x, y;

int main() {
  std::thread t([] {
    data = 42;
    std::atomic_thread_fence(std::memory_order_release);
    flag.store(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_relaxed) == 1) {
    std::atomic_thread_fence(std::memory_order_acquire);
    assert(data == 42);
  }
  t.join();

  int seen_y = 0, seen_x = 0;
  std::thread u([&] {
    x.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    seen_y = y.load(std::memory_order_relaxed);
  });
  y.store(1, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  std::atomic_thread_fence(std::memory_order_acq_rel);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  seen_x = x.load(std::memory_order_relaxed);
  u.join();
  assert(seen_x == 1 || seen_y == 1);
}
