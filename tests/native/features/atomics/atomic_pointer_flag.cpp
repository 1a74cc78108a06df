// Atomic pointers with arithmetic, atomic_flag, atomic<bool>, and enumerations.
#include <atomic>
#include <cassert>
#include <thread>

enum class Colour { kRed, kGreen };

static int values[4] = {10, 11, 12, 13};
static std::atomic<int*> p{values};
static std::atomic_flag flag = ATOMIC_FLAG_INIT;
static std::atomic<bool> once;
static std::atomic<Colour> colour{Colour::kRed};

int main() {
  int won = 0;
  bool main_won = false;
  std::thread t([&] {
    p.fetch_add(1);
    if (!flag.test_and_set()) won = 1;
    colour.store(Colour::kGreen);
  });
  ++p;
  main_won = !flag.test_and_set();
  t.join();
  assert(won + main_won == 1);
  assert(*p.load() == 12 && p.fetch_sub(2) == values + 2 && p.load() == values);
  assert((p += 3) == values + 3);
  assert(flag.test());
  flag.clear();
  assert(!flag.test());
  bool expected = false;
  assert(once.compare_exchange_strong(expected, true));
  assert(!once.compare_exchange_strong(expected, true) && expected);
  assert(colour == Colour::kGreen);
}
