// Polls with a pause, as a test does that waits for its worker. Seeded bug: the worker stops
// without a word.
#include <atomic>
#include <chrono>
#include <thread>

static std::atomic<int> state{0};

int main() {
  std::thread worker([] {
    int expected = 0;
    state.compare_exchange_strong(expected, 1);
#ifndef BUG
    state.store(2);
#endif
  });
  while (state.load() != 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  worker.join();
}
