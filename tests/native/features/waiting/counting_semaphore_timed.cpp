// Timed acquisition of a std::counting_semaphore: a unit, or false.
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

using namespace std::chrono_literals;

static std::counting_semaphore<2> items(0);
static int data;

int main() {
  std::thread t([] {
    data = 7;
    items.release();
  });
  if (items.try_acquire_for(10ms)) {
    assert(data == 7);
    t.join();
  } else {
    t.join();
    assert(items.try_acquire());
  }
  assert(!items.try_acquire_until(std::chrono::steady_clock::now() - 1s));
}
