// std::counting_semaphore and std::binary_semaphore, with try and timed acquisition.
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

using namespace std::chrono_literals;

static std::counting_semaphore<4> items(0);
static std::binary_semaphore turn(1);
static int data, inside;

int main() {
  std::thread t([] {
    data = 5;
    items.release(2);
    turn.acquire();
    inside++;
    turn.release();
  });
  items.acquire();
  assert(data == 5);
  turn.acquire();
  inside++;
  turn.release();
  t.join();
  assert(inside == 2);
  assert(items.try_acquire());
  assert(!items.try_acquire());
  items.release();
  assert(items.try_acquire());
}
