// A thread assumes a value that is overwritten. In executions where it does not see it, nothing is wrong.
#include <mazur/mazur.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x{0}, seen{0};

int main() {
  std::thread waits([] {
    mazur_assume(x.load() == 1);
    seen = 1;
  });
  x = 1;
  x = 2;
  waits.join();
  assert(seen == 1);
}
