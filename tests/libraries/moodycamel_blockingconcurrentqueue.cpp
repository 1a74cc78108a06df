// moodycamel::BlockingConcurrentQueue: two items for a consumer that waits.
#include <concurrentqueue/blockingconcurrentqueue.h>

#include <cassert>
#include <thread>

// Small blocks and tables: their initialisation is part of every execution. The semaphore looks twice
// before it sleeps, not 10,000 times: each look is an event.
struct Small : moodycamel::ConcurrentQueueDefaultTraits {
  static const size_t BLOCK_SIZE = 2;
  static const size_t INITIAL_IMPLICIT_PRODUCER_HASH_SIZE = 2;
  static const size_t EXPLICIT_INITIAL_INDEX_SIZE = 2;
  static const size_t IMPLICIT_INITIAL_INDEX_SIZE = 2;
  static const int MAX_SEMA_SPINS = 2;
};

int main() {
  moodycamel::BlockingConcurrentQueue<int, Small> queue(2);
  std::thread t([&queue] {
    for (int i = 1; i <= 2; ++i) {
      const bool is_in = queue.enqueue(i);
      assert(is_in);
    }
  });
  for (int i = 1; i <= 2; ++i) {
    int item = 0;
    queue.wait_dequeue(item);
    assert(item == i);
  }
  t.join();
}
