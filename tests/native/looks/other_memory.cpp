// One state of a thread, in which one value is in vain at first and another one later: what it waits for
// lies in its own memory.
#include <atomic>
#include <thread>

std::atomic<int> turn{0};

__attribute__((noinline)) void wait_while(const int* value) {
  while (turn.load() == *value) {
  }
}

int main() {
  std::thread waits([] {
    int* value = new int(0);
    do {
      wait_while(value);
      *value += 5;
    } while (*value != 10);
    delete value;
  });
  turn = 5;
  turn = 0;
  waits.join();
}
