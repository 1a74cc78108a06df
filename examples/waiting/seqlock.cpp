// A sequence lock whose readers back off before they try again.
//
//   mazur check examples/waiting/seqlock.cpp -std=c++20
//   mazur check examples/waiting/seqlock.cpp -std=c++20 --memory=c++20
//
// Verified. Without the fences it still is under sc and tso, and fails under --memory=c++20.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<unsigned> sequence{0};
std::atomic<int> low{0}, high{0};

void store_both(int value) {
  const unsigned before = sequence.load(std::memory_order_relaxed);
  sequence.store(before + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  low.store(value, std::memory_order_relaxed);
  high.store(value, std::memory_order_relaxed);
  sequence.store(before + 2, std::memory_order_release);
}

void load_both() {
  for (;;) {
    const unsigned before = sequence.load(std::memory_order_acquire);
    if (before % 2 == 0) {
      const int a = low.load(std::memory_order_relaxed);
      const int b = high.load(std::memory_order_relaxed);
      std::atomic_thread_fence(std::memory_order_acquire);
      if (sequence.load(std::memory_order_relaxed) == before) {
        assert(a == b);
        return;
      }
    }
    std::this_thread::yield();
  }
}

int main() {
  std::thread reader(load_both);
  store_both(1);
  reader.join();
}
