// Szymanski's algorithm: a waiting room with an entry and an exit door. Seeded bug: nobody waits
// for the threads with smaller numbers before entering.
#include "critical.h"

static std::atomic<int> flag[THREADS];

static bool any(int lowest, int highest, int from = 0, int to = THREADS) {
  for (int j = from; j < to; ++j) {
    const int value = flag[j].load();
    if (lowest <= value && value <= highest) return true;
  }
  return false;
}

static void body(int i) {
  flag[i].store(1);
  while (any(3, 4)) {
  }
  flag[i].store(3);
  if (any(1, 1)) {
    flag[i].store(2);
    while (!any(4, 4)) {
    }
  }
  flag[i].store(4);
#ifndef BUG
  while (any(2, 4, 0, i)) {
  }
#endif
  critical_section();
  while (any(2, 3, i + 1, THREADS)) {
  }
  flag[i].store(0);
}

int main() { run_threads(body); }
