// Loops with three iterations, one of them twice, and many loads that are in no loop. ENDLESS: one
// has no end.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> a{0}, b{0}, c{0}, tick{0};

int main(int count, char**) {
  const int times = count + 2;  // 3, but the compiler does not know
  std::thread other([times] {
    for (int round = 0; round < 2; ++round) {
      a.store(round);
      for (int i = 0; i < times; ++i) b.store(i);
    }
#ifdef ENDLESS
    while (tick.load() < 1000000) tick.fetch_add(1);
#endif
  });
  const int sum = a.load() + c.load() + a.load() + b.load() + c.load();
#ifdef ENDLESS
  assert(sum == 0);
#else
  assert(sum >= 0);
  other.join();
#endif
#ifdef ENDLESS
  other.detach();
#endif
}
