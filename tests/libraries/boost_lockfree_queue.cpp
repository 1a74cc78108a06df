// Boost.Lockfree's multi-producer multi-consumer queue: nothing is lost or invented, and what one
// producer pushes comes out in its order.
#include <boost/lockfree/queue.hpp>
#include <cassert>
#include <thread>

// Boost reads a node's links and value before its tagged compare-exchange tells whether the node
// was still there; if it had been recycled, the values are thrown away. By the letter of the
// language that is a data race, which ThreadSanitizer reports as well.
extern "C" const char* __tsan_default_suppressions() { return "race:boost::lockfree\n"; }

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
