// A lock made of std::atomic_flag, tried once.
#include <atomic>
#include <thread>

std::atomic_flag taken = ATOMIC_FLAG_INIT;
int counter;

static void add() {
  if (taken.test_and_set(std::memory_order_acquire)) return;
  ++counter;
  taken.clear(std::memory_order_release);
}

int main() {
  std::thread t(add);
  add();
  t.join();
  return counter == 0;
}
