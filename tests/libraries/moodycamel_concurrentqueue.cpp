// moodycamel::ConcurrentQueue: two producers, one consumer, each producer's items in order.
#include <concurrentqueue/concurrentqueue.h>

#include <cassert>
#include <thread>

// Small blocks and tables: their initialisation is part of every execution.
struct Small : moodycamel::ConcurrentQueueDefaultTraits {
  static const size_t BLOCK_SIZE = 2;
  static const size_t INITIAL_IMPLICIT_PRODUCER_HASH_SIZE = 2;
  static const size_t EXPLICIT_INITIAL_INDEX_SIZE = 2;
  static const size_t IMPLICIT_INITIAL_INDEX_SIZE = 2;
};

int main() {
  moodycamel::ConcurrentQueue<int, Small> queue(4);
  std::thread t([&queue] {
    assert(queue.enqueue(1));
    assert(queue.enqueue(2));
  });
  assert(queue.enqueue(10));
  int sum = 0, last = 0, value = 0;
  auto take = [&] {
    if (!queue.try_dequeue(value)) return false;
    sum += value;
    if (value < 10) {
      assert(value == last + 1);
      last = value;
    }
    return true;
  };
  take();
  t.join();
  while (take()) {
  }
  assert(sum == 13);
}
