// A thread that looks every millisecond whether another one is done.
//
//   mazur check examples/waiting/poll.cpp -std=c++20
//
// Verified.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

std::atomic<bool> ready{false};
int answer = 0;

int main() {
  std::thread worker([] {
    answer = 42;
    ready.store(true, std::memory_order_release);
  });
  while (!ready.load(std::memory_order_acquire))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  assert(answer == 42);
  worker.join();
}
