// Peterson's mutual exclusion for two threads, one attempt each: a thread that would have to wait
// gives up instead.
//
//   mazur check examples/peterson.cpp
//   mazur check examples/peterson.cpp -DWRONG
//
// Verified; with -DWRONG, where a thread announces its wish only after it has looked, the assertion
// fails.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> wants[2];
std::atomic<int> turn;
std::atomic<int> inside;

void visit(int self) {
  const int other = 1 - self;
#ifdef WRONG
  const bool blocked = wants[other].load();
  wants[self].store(true);
#else
  wants[self].store(true);
  turn.store(other);
  const bool blocked = wants[other].load() && turn.load() == other;
#endif
  if (!blocked) {
    int others = inside.fetch_add(1);
    assert(others == 0);
    inside.fetch_sub(1);
  }
  wants[self].store(false);
}

int main() {
  std::thread t(visit, 1);
  visit(0);
  t.join();
}
