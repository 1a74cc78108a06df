// Executions that come to no end.
#include <atomic>
#include <thread>

std::atomic<unsigned> counter{0};

int main() {
  std::thread other([] { counter.fetch_add(1); });
  while (counter.load() != 0xffffffff) {
    counter.fetch_add(1);  // round and round
  }
  other.join();
}
