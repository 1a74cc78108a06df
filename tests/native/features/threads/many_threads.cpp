// Twenty-four threads at once, each with a variable of its own.
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kThreads = 24;
static std::atomic<int> cell[kThreads];

int main() {
  std::thread thread[kThreads];
  for (int i = 0; i < kThreads; i++) thread[i] = std::thread([i] { cell[i].store(i); });
  for (std::thread& t : thread) t.join();
  int sum = 0;
  for (std::atomic<int>& c : cell) sum += c.load();
  assert(sum == kThreads * (kThreads - 1) / 2);
}
