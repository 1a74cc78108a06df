// Threads that give a lock a millisecond at a time, and do something else in between.
//
//   mazur check examples/waiting/timed_mutex.cpp -std=c++20
//   mazur check examples/waiting/timed_mutex.cpp -std=c++20 --memory=c++20
//
// Verified. If a thread looked at a clock besides, the verdict would be incomplete: nobody knows what
// it does when it has waited for long.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::timed_mutex mutex;
int counter = 0;

void increment() {
  while (!mutex.try_lock_for(1ms)) std::this_thread::yield();
  ++counter;
  mutex.unlock();
}

int main() {
  std::thread a(increment), b(increment), c(increment);
  a.join();
  b.join();
  c.join();
  assert(counter == 3);
}
