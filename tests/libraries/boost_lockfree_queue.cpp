// Boost.Lockfree's multi-producer multi-consumer queue: nothing is lost or invented, and what one
// producer pushes comes out in its order.
#include <boost/lockfree/queue.hpp>
#include <cassert>
#include <thread>

int main() {
  boost::lockfree::queue<int, boost::lockfree::capacity<4>> queue;
  std::thread producer([&queue] {
    assert(queue.push(1));
    assert(queue.push(2));
  });
  std::thread other([&queue] { assert(queue.push(10)); });
  int sum = 0, last = 0, value = 0;
  auto take = [&] {
    if (!queue.pop(value)) return false;
    sum += value;
    if (value < 10) {
      assert(value == last + 1);
      last = value;
    }
    return true;
  };
  take();
  producer.join();
  other.join();
  while (take()) {
  }
  assert(sum == 13 && last == 2);
  assert(queue.empty());
}
