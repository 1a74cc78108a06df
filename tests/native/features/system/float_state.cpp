// Floating-point rounding mode and vector registers belong to the thread.
#include <cassert>
#include <cfenv>
#include <thread>

static volatile double one = 1.0, three = 3.0;

static double third() {
  double before = one / three;
  std::this_thread::yield();
  double after = one / three;
  assert(before == after);
  return after;
}

int main() {
  double up = 0, down = 0;
  std::thread t([&up] {
    std::fesetround(FE_UPWARD);
    up = third();
    assert(std::fegetround() == FE_UPWARD);
  });
  std::fesetround(FE_DOWNWARD);
  down = third();
  t.join();
  assert(std::fegetround() == FE_DOWNWARD);
  assert(down < up);
}
