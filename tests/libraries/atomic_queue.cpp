// atomic_queue::AtomicQueue and AtomicQueue2: push() waits for room, pop() for an item. Three items through
// queues of two.
#include <atomic_queue/atomic_queue.h>

#include <cassert>
#include <thread>

template <typename Queue>
void send_three() {
  static Queue queue;
  std::thread t([] {
    for (unsigned i = 1; i <= 3; ++i) queue.push(i);
  });
  for (unsigned i = 1; i <= 3; ++i) {
    const unsigned item = queue.pop();
    assert(item == i);
  }
  t.join();
}

int main() {
  send_three<atomic_queue::AtomicQueue<unsigned, 2>>();
  send_three<atomic_queue::AtomicQueue2<unsigned, 2>>();
}
