// moodycamel::ConcurrentQueue with producer and consumer tokens and in bulk.
#include <concurrentqueue/concurrentqueue.h>

#include <cassert>
#include <cstddef>
#include <thread>

struct Small : moodycamel::ConcurrentQueueDefaultTraits {
  static const size_t BLOCK_SIZE = 2;
  static const size_t INITIAL_IMPLICIT_PRODUCER_HASH_SIZE = 2;
  static const size_t EXPLICIT_INITIAL_INDEX_SIZE = 2;
};

int main() {
  moodycamel::ConcurrentQueue<int, Small> queue(4);
  moodycamel::ProducerToken producer(queue);
  moodycamel::ConsumerToken consumer(queue);
  std::thread t([&] {
    const int items[2] = {1, 2};
    assert(queue.enqueue_bulk(producer, items, 2));
  });
  int out[2];
  std::size_t taken = queue.try_dequeue_bulk(consumer, out, 2);
  t.join();
  taken += queue.try_dequeue_bulk(consumer, out + taken, 2 - taken);
  assert(taken == 2 && out[0] == 1 && out[1] == 2);
}
