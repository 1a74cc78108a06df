// One thread, STEPS operations: the difference between two sizes is what a step costs.
#include <atomic>

std::atomic<int> x;

int main() {
  for (int i = 0; i < STEPS; ++i) x.store(i, std::memory_order_relaxed);
}
