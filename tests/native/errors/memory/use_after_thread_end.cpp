// A thread lets the address of a local variable out; main looks at it when the thread has ended.
#include <atomic>
#include <thread>

static std::atomic<const volatile int*> shared;

int main() {
  std::thread t([] {
    volatile int local = 7;
    shared.store(&local);
  });
  t.join();
  return *shared.load() == 8;  // BUG-LINE
}
