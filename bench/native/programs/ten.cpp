// Ten threads, a hundred operations.
#include <atomic>
#include <thread>
#include <vector>

std::atomic<int> x[10];

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 10; ++i)
    threads.emplace_back([i] {
      for (int k = 0; k < 5; ++k) {
        x[i].store(k);
        (void)x[(i + 1) % 10].load();
      }
    });
  for (auto& thread : threads) thread.join();
}
