// std::counting_semaphore and std::binary_semaphore hand over data, with try_acquire. Only counts
// that start at zero: the library's acquire can sleep for ever when a count goes from n to 0 and
// back to n under it (examples/semaphore.cpp).
#include <cassert>
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> items(0);
static std::binary_semaphore answer(0);
static int data, reply;

int main() {
  std::thread t([] {
    data = 5;
    items.release(2);
    answer.acquire();
    assert(reply == 6);
  });
  items.acquire();
  assert(data == 5);
  reply = 6;
  answer.release();
  t.join();
  assert(items.try_acquire());
  assert(!items.try_acquire());
  items.release();
  assert(items.try_acquire());
}
