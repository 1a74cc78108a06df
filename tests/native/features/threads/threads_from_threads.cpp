// Threads that start threads, three generations deep.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> started;

static void generation(int depth) {
  started.fetch_add(1);
  if (depth == 0) return;
  std::thread child(generation, depth - 1);
  child.join();
}

int main() {
  std::thread a(generation, 2);
  std::thread b(generation, 0);
  a.join();
  b.join();
  assert(started.load() == 4);
}
