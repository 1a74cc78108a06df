// Dekker's algorithm for two threads. Seeded bug: a thread does not take its wish back while it is
// not its turn.
#include "critical.h"

static std::atomic<bool> wants[2];
static std::atomic<int> turn{0};

static void body(int i) {
  wants[i].store(true);
  while (wants[1 - i].load()) {
    if (turn.load() == i) continue;
#ifndef BUG
    wants[i].store(false);
#endif
    while (turn.load() != i) {
    }
    wants[i].store(true);
  }
  critical_section();
  turn.store(1 - i);
  wants[i].store(false);
}

int main() { run_threads(body); }
