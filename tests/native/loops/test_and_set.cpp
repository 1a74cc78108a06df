// A test-and-set lock. Seeded bug: it is released before the critical section ends.
#include "critical.h"

static std::atomic<bool> taken{false};

static void body(int) {
  while (taken.exchange(true, std::memory_order_acquire)) {
  }
#ifdef BUG
  taken.store(false, std::memory_order_release);
  critical_section();
#else
  critical_section();
  taken.store(false, std::memory_order_release);
#endif
}

int main() { run_threads(body); }
