// Boost.Lockfree's single-producer single-consumer ring: order is kept, a full ring refuses, and
// what an element points to is published with it.
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <thread>

static int data[3];

int main() {
  boost::lockfree::spsc_queue<int*, boost::lockfree::capacity<2>> ring;
  int pushed = 0;
  std::thread producer([&] {
    for (int i = 0; i < 3; i++) {
      data[i] = i + 1;
      if (!ring.push(&data[i])) break;
      pushed++;
    }
  });
  int expected = 1;
  int* item = nullptr;
  for (int i = 0; i < 2; i++) {
    if (ring.pop(item)) assert(*item == expected++);
  }
  producer.join();
  assert(pushed >= 2);
  while (ring.pop(item)) assert(*item == expected++);
  assert(expected == pushed + 1);
}
