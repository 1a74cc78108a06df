// Two threads that need two locks, take one, try the other, and give back the first if that fails.
//
//   mazur check examples/waiting/try_both.cpp -std=c++20
//
// Verified: no deadlock, although each takes another lock first.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex left, right;
int counter = 0;

void increment(std::mutex& first, std::mutex& second) {
  for (;;) {
    first.lock();
    if (second.try_lock()) break;
    first.unlock();
    std::this_thread::yield();
  }
  ++counter;
  second.unlock();
  first.unlock();
}

int main() {
  std::thread a([] { increment(left, right); }), b([] { increment(right, left); });
  a.join();
  b.join();
  assert(counter == 2);
}
