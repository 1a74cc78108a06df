// A ticket lock. Seeded bug: tickets are drawn with a load and a store, so that two threads can
// have the same one.
#include "critical.h"

static std::atomic<unsigned> next_ticket{0}, serving{0};

static void body(int) {
#ifdef BUG
  const unsigned mine = next_ticket.load();
  next_ticket.store(mine + 1);
#else
  const unsigned mine = next_ticket.fetch_add(1, std::memory_order_relaxed);
#endif
  while (serving.load(std::memory_order_acquire) != mine) {
  }
  critical_section();
  serving.store(mine + 1, std::memory_order_release);
}

int main() { run_threads(body); }
