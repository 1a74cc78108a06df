// A thread waits for a plain variable in a loop that also counts in memory: not a loop that can be
// stopped, but it must not run for ever, either.
#include <thread>

int done = 0;
long rounds = 0;

int main() {
  std::thread other([] { *const_cast<volatile int*>(&done) = 1; });
  while (*const_cast<volatile int*>(&done) == 0) *const_cast<volatile long*>(&rounds) = rounds + 1;
  other.join();
}
