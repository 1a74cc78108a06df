// std::atomic<T*>::wait and notify_all with two waiters.
#include <atomic>
#include <cassert>
#include <thread>

static int target = 5;
static std::atomic<int*> p;

static void wait_and_read() {
  p.wait(nullptr);
  assert(*p.load() == 5);
}

int main() {
  std::thread a(wait_and_read), b(wait_and_read);
  p.store(&target);
  p.notify_all();
  a.join();
  b.join();
}
