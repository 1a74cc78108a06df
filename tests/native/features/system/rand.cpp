// Pseudo-random numbers are the same in every execution, because their state is.
#include <cassert>
#include <cstdlib>
#include <random>
#include <thread>

static std::mt19937 engine;

int main() {
  assert(rand() == 1804289383);
  srand(7);
  int first = rand();
  std::thread t([] { engine(); });
  t.join();
  assert(engine() == 581869302u);
  srand(7);
  assert(rand() == first);
  srand48(1);
  long second = lrand48();
  srand48(1);
  assert(lrand48() == second);
}
