// Looks before it tries, with a compare-exchange. Seeded bug: the look alone decides.
#include "critical.h"

static std::atomic<int> taken{0};

static void body(int) {
  for (;;) {
    while (taken.load(std::memory_order_relaxed) != 0) std::this_thread::yield();
#ifdef BUG
    taken.store(1, std::memory_order_relaxed);
    break;
#else
    int expected = 0;
    if (taken.compare_exchange_weak(expected, 1, std::memory_order_acquire)) break;
#endif
  }
  critical_section();
  taken.store(0, std::memory_order_release);
}

int main() { run_threads(body); }
