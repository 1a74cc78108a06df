// Peterson's algorithm for two threads. Seeded bug: the turn is given away before the own wish is
// announced.
#include "critical.h"

static std::atomic<bool> wants[2];
static std::atomic<int> turn{0};

static void body(int i) {
#ifdef BUG
  turn.store(1 - i);
  wants[i].store(true);
#else
  wants[i].store(true);
  turn.store(1 - i);
#endif
  while (wants[1 - i].load() && turn.load() == 1 - i) {
  }
  critical_section();
  wants[i].store(false);
}

int main() { run_threads(body); }
