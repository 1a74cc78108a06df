// Atomic floating-point numbers, whose fetch_add is a compare-exchange loop.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<double> total{0.0};
static std::atomic<float> small{1.5f};

int main() {
  std::thread t([] { total.fetch_add(0.5); });
  total += 0.25;
  t.join();
  assert(total == 0.75);
  small.store(2.5f);
  assert(small.exchange(3.5f) == 2.5f);
  assert(small.fetch_sub(1.0f) == 3.5f);
  assert(small == 2.5f);
}
