// moodycamel::ReaderWriterQueue: one producer, one consumer, order and publication.
#include <readerwriterqueue/readerwriterqueue.h>

#include <cassert>
#include <thread>

static int data[3];

int main() {
  moodycamel::ReaderWriterQueue<int*> queue(1);
  std::thread producer([&queue] {
    for (int i = 0; i < 3; i++) {
      data[i] = i + 1;
      assert(queue.enqueue(&data[i]));
    }
  });
  int expected = 1;
  int* item = nullptr;
  for (int i = 0; i < 2; i++) {
    if (queue.try_dequeue(item)) assert(*item == expected++);
  }
  producer.join();
  while (queue.try_dequeue(item)) assert(*item == expected++);
  assert(expected == 4);
}
