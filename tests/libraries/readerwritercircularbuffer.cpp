// moodycamel::BlockingReaderWriterCircularBuffer: it waits for items and for room.
#include <readerwriterqueue/readerwritercircularbuffer.h>

#include <cassert>
#include <thread>

int main() {
  moodycamel::BlockingReaderWriterCircularBuffer<int> buffer(1);
  std::thread producer([&buffer] {
    buffer.wait_enqueue(1);
    buffer.wait_enqueue(2);
  });
  int first = 0, second = 0;
  buffer.wait_dequeue(first);
  buffer.wait_dequeue(second);
  producer.join();
  assert(first == 1 && second == 2);
}
